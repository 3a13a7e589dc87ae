//! The gamma function and the incomplete gamma function, for the χ² test and Student's t.

/// Returns ln Γ(x) for x > 0, by the Lanczos approximation (g = 7, nine terms), to about 15 digits.
pub(super) fn ln_gamma(x: f64) -> f64 {
    const G: f64 = 7.0;
    const TERMS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        // Reflection formula: the series is accurate only for x of at least one half.
        let sine = (std::f64::consts::PI * x).sin();
        return (std::f64::consts::PI / sine).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let series = TERMS[1..]
        .iter()
        .zip(1_u8..)
        .fold(TERMS[0], |sum, (term, i)| sum + term / (x + f64::from(i)));
    let t = x + G + 0.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + series.ln()
}

const STEPS_MAX: u32 = 10_000;
const PRECISION: f64 = 1e-15;

/// Returns Q(a, x) = Γ(a, x) / Γ(a), for a > 0 and x ≥ 0.
pub(super) fn upper_incomplete(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    // Each of the two forms converges where the other does not.
    if x < a + 1.0 {
        (1.0 - scale * lower_series(a, x)).clamp(0.0, 1.0)
    } else {
        (scale * upper_fraction(a, x)).clamp(0.0, 1.0)
    }
}

fn lower_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for i in 1..STEPS_MAX {
        term *= x / (a + f64::from(i));
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    sum
}

/// Evaluates the continued fraction by Lentz's method.
fn upper_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / f64::MIN_POSITIVE;
    let mut d = 1.0 / b;
    let mut product = d;
    for i in 1..STEPS_MAX {
        let i = f64::from(i);
        let numerator = -i * (i - a);
        b += 2.0;
        d = 1.0 / not_zero(numerator * d + b);
        c = not_zero(b + numerator / c);
        let step = c * d;
        product *= step;
        if (step - 1.0).abs() < PRECISION {
            break;
        }
    }
    product
}

/// Replaces zero by a tiny number, so that a continued fraction does not divide by zero.
pub(super) fn not_zero(value: f64) -> f64 {
    const TINY: f64 = 1e-300;
    if value.abs() < TINY { TINY } else { value }
}

/// Returns P(χ² > statistic) with `degrees` of freedom.
pub(super) fn chi_square_survival(statistic: f64, degrees: u32) -> f64 {
    upper_incomplete(f64::from(degrees) / 2.0, statistic / 2.0)
}

#[cfg(test)]
mod tests {
    use super::{chi_square_survival, ln_gamma};

    fn near(actual: f64, expected: f64) {
        assert!(
            (actual - expected).abs() <= expected.abs() * 1e-12 + 1e-14,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn ln_gamma_of_integers_is_the_logarithm_of_factorials() {
        let mut factorial = 1.0_f64;
        for n in 1..20_u8 {
            near(ln_gamma(f64::from(n)), factorial.ln());
            factorial *= f64::from(n);
        }
        near(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln());
        near(ln_gamma(0.25), 1.288_022_524_698_077_3);
    }

    #[test]
    fn one_and_two_degrees_have_closed_forms() {
        // Two degrees of freedom: e^(-x/2).
        for x in [0.0, 0.1, 1.0, 3.0, 10.0, 100.0, 1_400.0] {
            near(chi_square_survival(x, 2), (-x / 2.0).exp());
        }
        // Critical values from statistical tables.
        for (x, degrees, p) in [
            (3.841_458_820_694_124, 1, 0.05),
            (10.827_566_170_662_733, 1, 0.001),
            (13.815_510_557_964_274, 2, 0.001),
            (16.266_236_196_238_13, 3, 0.001),
            (18.307_038_053_275_146, 10, 0.05),
        ] {
            near(chi_square_survival(x, degrees), p);
        }
    }

    #[test]
    fn large_statistics_give_zero_and_not_nan() {
        assert_eq!(chi_square_survival(1e9, 1), 0.0);
        assert_eq!(chi_square_survival(0.0, 1), 1.0);
        assert_eq!(chi_square_survival(f64::MAX, 5), 0.0);
    }
}
