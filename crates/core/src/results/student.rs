//! Student's t-distribution: p-values and critical values for a difference that is read once.

use super::gamma::{ln_gamma, not_zero, upper_incomplete};

/// From this many degrees on, t and the normal distribution agree to 7 digits, and ln Γ is no
/// longer accurate.
const DEGREES_NORMAL: f64 = 1e8;

/// Returns P(|T| > |t|).
pub(super) fn two_sided(t: f64, degrees: f64) -> f64 {
    let square = t * t;
    if degrees > DEGREES_NORMAL {
        return upper_incomplete(0.5, square / 2.0);
    }
    incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + square))
}

/// Returns the t with P(|T| > t) = alpha.
pub(super) fn critical(alpha: f64, degrees: f64) -> f64 {
    let mut high = 1.0;
    while two_sided(high, degrees) > alpha && high < 1e12 {
        high *= 2.0;
    }
    let mut low = 0.0;
    // After 60 bisections the remaining interval is smaller than the last digit of a double.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if two_sided(middle, degrees) > alpha { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Returns the regularised incomplete beta function I(x; a, b).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let scale = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    // The fraction converges fast only on one side of the mean.
    let value = if x < (a + 1.0) / (a + b + 2.0) {
        scale * beta_fraction(a, b, x) / a
    } else {
        1.0 - scale * beta_fraction(b, a, 1.0 - x) / b
    };
    value.clamp(0.0, 1.0)
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut product = d;
    for i in 1..100_000 {
        let m = f64::from(i);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / not_zero(1.0 + numerator * d);
            c = not_zero(1.0 + numerator / c);
            step = c * d;
            product *= step;
        }
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::{critical, two_sided};

    fn near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() <= expected.abs() * 1e-9, "{actual} is not {expected}");
    }

    #[test]
    fn one_degree_of_freedom_is_the_cauchy_distribution() {
        for t in [0.01, 0.5, 1.0, 12.0, 1e6] {
            // 1 − 2/π·atan(t), in a form without cancellation.
            near(two_sided(t, 1.0), 2.0 / std::f64::consts::PI * (1.0 / t).atan());
        }
    }

    #[test]
    fn critical_values_equal_those_of_statistical_tables() {
        for (degrees, expected) in [
            (1.0, 12.706_204_736_432_095),
            (2.0, 4.302_652_729_911_275),
            (10.0, 2.228_138_851_964_939),
            (30.0, 2.042_272_456_301_237),
            (120.0, 1.979_930_405_052_777),
            (1e12, 1.959_963_984_540_054),
        ] {
            near(critical(0.05, degrees), expected);
        }
    }

    #[test]
    fn is_continuous_at_the_switch_to_the_normal_distribution() {
        for t in [0.5, 1.96, 3.3] {
            let (below, above) = (two_sided(t, 0.999e8), two_sided(t, 1.001e8));
            assert!((below - above).abs() < below * 1e-6, "{below} {above}");
        }
    }
}
