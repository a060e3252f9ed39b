//! The rating table against figures worked out by hand, and its errors against simulation.

use crate::common::from_pairs;
use arena::matches::elo::{EloDifference, expected_score};
use arena::matches::pentanomial::Pentanomial;
use arena::matches::rating::rate;
use chess::random::Random;

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}

/// Two engines: half the difference of the usual formula each, and half its error.
#[test]
fn two_engines_are_the_usual_formula() {
    let pentanomial = from_pairs([1, 10, 40, 40, 9]);
    let ratings = rate(2, &[(0, 1)], &[pentanomial], &[]);
    let elo = EloDifference::of(&pentanomial).elo;
    close(ratings[0].elo - ratings[1].elo, elo.value, 1e-6);
    close(ratings[0].elo + ratings[1].elo, 0.0, 1e-6);
    close(2.0 * ratings[0].error, elo.error(), 0.3);
    let ratings = rate(2, &[(0, 1)], &[pentanomial], &[None, Some(2500.0)]);
    close(ratings[0].elo, 2500.0 + elo.value, 1e-6);
    close(ratings[0].error, elo.error(), 0.5);
    assert_eq!((ratings[1].elo, ratings[1].error), (2500.0, 0.0));
}

/// Results that fit 0, 100 and 200 exactly give these back.
#[test]
fn consistent_results_are_reproduced() {
    let pentanomial = |difference: f64| {
        let won = (1_000_000.0 * expected_score(difference)).round() as u64;
        Pentanomial { games: [1_000_000 - won, 0, won], pairs: [0; 5] }
    };
    let pairings = [(0, 1), (0, 2), (1, 2)];
    let ratings = rate(3, &pairings, &[pentanomial(-100.0), pentanomial(-200.0), pentanomial(-100.0)], &[]);
    for (rating, expected) in ratings.iter().zip([-100.0, 0.0, 100.0]) {
        close(rating.elo, expected, 0.01);
    }
}

#[test]
fn an_engine_that_lost_everything_gets_a_bound() {
    let lost = from_pairs([10, 0, 0, 0, 0]);
    let even = from_pairs([2, 2, 2, 2, 2]);
    let ratings = rate(3, &[(0, 1), (0, 2), (1, 2)], &[lost, lost, even], &[]);
    assert!(ratings[0].extreme && !ratings[1].extreme && !ratings[2].extreme);
    assert!(ratings[0].elo.is_finite() && ratings[0].elo < ratings[1].elo - 400.0);
    let nobody = rate(2, &[(0, 1)], &[Pentanomial::default()], &[]);
    assert!(nobody.iter().all(|rating| rating.elo == 0.0));
}

/// Four engines, 60 pairs each, 400 times: the truth lies in about 95% of the intervals.
#[test]
fn intervals_cover_the_truth() {
    let truth = [-90.0, -10.0, 20.0, 80.0];
    let pairings = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let mut random = Random::new(5);
    let (mut covered, mut count) = (0, 0);
    for _ in 0..400 {
        let pentanomials = pairings.map(|(first, second)| {
            let chance = expected_score(truth[first] - truth[second]);
            let mut pentanomial = Pentanomial::default();
            for _ in 0..60 {
                // Half the draws that the score allows, independent games.
                let drawn = chance.min(1.0 - chance);
                let mut game = || {
                    let r = random.unit();
                    u8::from(r < chance - drawn / 2.0) + u8::from(r < chance + drawn / 2.0)
                };
                let (one, two) = (game(), game());
                pentanomial.add_game(one);
                pentanomial.add_game(two);
                pentanomial.add_pair(one + two);
            }
            pentanomial
        });
        for (rating, truth) in rate(4, &pairings, &pentanomials, &[]).iter().zip(truth) {
            covered += u32::from((rating.elo - truth).abs() <= rating.error);
            count += 1;
        }
    }
    let share = f64::from(covered) / f64::from(count);
    assert!((0.93..0.97).contains(&share), "{share}");
}
