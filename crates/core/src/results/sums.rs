use serde::{Deserialize, Serialize};

/// Sufficient statistics of an arm: `y` is the metric, `x` the same metric before the experiment.
///
/// Sums rather than units, so that a day's events can be added without reading the days before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sums {
    /// Number of units.
    pub n: u64,
    /// Sum of the metric.
    pub y: f64,
    /// Sum of its squares.
    pub y2: f64,
    /// Sum of the metric before the experiment.
    pub x: f64,
    /// Sum of its squares.
    pub x2: f64,
    /// Sum of the products of the metric and its past.
    pub xy: f64,
    /// The denominator of a ratio, its square, and what it has to do with `y`.
    pub d: f64,
    /// Sum of the squares of the denominator.
    pub d2: f64,
    /// Sum of the products of denominator and metric.
    pub yd: f64,
}

/// How a unit's value varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Any number a unit.
    Mean,
    /// 1 or 0 a unit: it did or it did not.
    Proportion,
    /// One ratio for all units together: the sum of `y` divided by the sum of `d`.
    Ratio,
}

impl Sums {
    /// One unit's value, and its value from before where there is one.
    pub fn add(&mut self, y: f64, x: f64) {
        self.n += 1;
        self.y += y;
        self.y2 += y * y;
        self.x += x;
        self.x2 += x * x;
        self.xy += x * y;
    }

    /// Sums over the units of both.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            n: self.n + other.n,
            y: self.y + other.y,
            y2: self.y2 + other.y2,
            x: self.x + other.x,
            x2: self.x2 + other.x2,
            xy: self.xy + other.xy,
            d: self.d + other.d,
            d2: self.d2 + other.d2,
            yd: self.yd + other.yd,
        }
    }

    /// Number of units as a float.
    pub fn units(&self) -> f64 {
        // Exact up to 2^53 units.
        self.n as f64
    }

    /// Mean of the metric; 0 without units.
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.y / self.units() }
    }

    /// The estimate for the arm: a mean or a ratio; 0 without data.
    pub fn estimate(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Mean | Measure::Proportion => self.mean(),
            Measure::Ratio if self.d > 0.0 => self.y / self.d,
            Measure::Ratio => 0.0,
        }
    }

    pub(super) fn mean_before(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.x / self.units() }
    }

    /// Variance of one unit's contribution: the estimate's is this divided by `n`. A ratio uses the
    /// delta method, because units and not single values were drawn.
    pub fn variance(&self, measure: Measure) -> f64 {
        if measure != Measure::Ratio {
            return spread(self.n, self.y, self.y2, measure);
        }
        if self.n < 2 || self.d <= 0.0 {
            return 0.0;
        }
        let (units, ratio) = (self.units(), self.y / self.d);
        let residuals = self.y2 - 2.0 * ratio * self.yd + ratio * ratio * self.d2;
        let mean = self.d / units;
        (residuals / (units - 1.0) / (mean * mean)).max(0.0)
    }

    pub(super) fn variance_before(&self, measure: Measure) -> f64 {
        spread(self.n, self.x, self.x2, measure)
    }

    /// Covariance of the metric and its past, over n − 1.
    pub(super) fn covariance(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        (self.xy - self.x * self.y / self.units()) / (self.units() - 1.0)
    }
}

/// Below zero only by rounding: values that are all alike, far from zero.
fn spread(n: u64, sum: f64, squares: f64, measure: Measure) -> f64 {
    let units = n as f64;
    match measure {
        _ if n < 2 => 0.0,
        Measure::Mean | Measure::Ratio => ((squares - sum * sum / units) / (units - 1.0)).max(0.0),
        Measure::Proportion => (sum / units * (1.0 - sum / units)).max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{Measure, Sums};

    fn sums(values: &[(f64, f64)]) -> Sums {
        let mut sums = Sums::default();
        for (y, x) in values {
            sums.add(*y, *x);
        }
        sums
    }

    #[test]
    fn a_handful_of_values_by_hand() {
        let sums = sums(&[(2.0, 1.0), (4.0, 2.0), (9.0, 3.0)]);
        assert_eq!(sums.mean(), 5.0);
        assert_eq!(sums.variance(Measure::Mean), 13.0);
        assert_eq!(sums.variance_before(Measure::Mean), 1.0);
        assert_eq!(sums.covariance(), 3.5);
    }

    #[test]
    fn a_share_varies_as_a_share() {
        let sums = sums(&[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]);
        assert_eq!(sums.variance(Measure::Proportion), 0.1875);
    }

    /// By hand: residuals y - 2 d of -1, 0 and 1, over n - 1 and the square of the mean of d.
    #[test]
    fn a_ratio_varies_with_both_its_parts() {
        let mut sums = Sums { n: 3, ..Sums::default() };
        for (y, d) in [(1.0, 1.0), (4.0, 2.0), (7.0, 3.0)] {
            sums = sums.plus(&Sums { y, d, y2: y * y, d2: d * d, yd: y * d, ..Sums::default() });
        }
        assert_eq!(sums.estimate(Measure::Ratio), 2.0);
        assert_eq!(sums.variance(Measure::Ratio), 0.25);
        assert_eq!(Sums { d: 0.0, ..sums }.estimate(Measure::Ratio), 0.0);
        assert_eq!(Sums { d: -1.0, ..sums }.variance(Measure::Ratio), 0.0);
    }

    #[test]
    fn nobody_and_one_unit_have_no_spread() {
        for values in [&[][..], &[(7.0, 7.0)]] {
            let sums = sums(values);
            assert_eq!(sums.variance(Measure::Mean), 0.0);
            assert_eq!(sums.variance(Measure::Proportion), 0.0);
            assert_eq!(sums.covariance(), 0.0);
        }
    }

    #[test]
    fn rounding_never_makes_a_spread_negative() {
        let sums = sums(&[(1e9 + 0.1, 0.0); 7]);
        assert!(sums.variance(Measure::Mean) >= 0.0);
    }

    #[test]
    fn adding_days_is_adding_units() {
        let (monday, tuesday) = ([(1.0, 2.0), (3.0, 4.0)], [(5.0, 6.0)]);
        let whole = sums(&[monday[0], monday[1], tuesday[0]]);
        assert_eq!(sums(&monday).plus(&sums(&tuesday)), whole);
    }
}
