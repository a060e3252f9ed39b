//! The logistic function: what of a point a score promises.

/// The share of a point, 0 to 1, of a score in units of which `scale` make the odds e to one.
pub fn share(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}
