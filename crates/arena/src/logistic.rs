//! The logistic function, which turns scores into expected results.

/// The expected result, 0 to 1, of a score in units of which `scale` make the odds e to one: 1 / (1 + exp(-score / scale)).
pub fn sigmoid(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}
