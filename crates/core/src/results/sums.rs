use serde::{Deserialize, Serialize};

/// Sufficient statistics of an arm: `y` is the metric, `x` the same metric before the experiment.
///
/// Sums instead of units allow adding the events of a day without reading earlier days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sums {
    /// Number of units.
    pub n: u64,
    /// Sum of the metric.
    pub y: f64,
    /// Sum of the squares of the metric.
    pub y2: f64,
    /// Sum of the metric before the experiment.
    pub x: f64,
    /// Sum of the squares of the metric before the experiment.
    pub x2: f64,
    /// Sum of the products of the metric and its value before the experiment.
    pub xy: f64,
    /// Sum of the denominator of a ratio.
    pub d: f64,
    /// Sum of the squares of the denominator.
    pub d2: f64,
    /// Sum of the products of denominator and metric.
    pub yd: f64,
}

/// How the values of the units are aggregated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The mean of any number per unit.
    Mean,
    /// The share of units with the value 1; the others have 0.
    Proportion,
    /// One ratio for all units together: the sum of `y` divided by the sum of `d`.
    Ratio,
}

impl Sums {
    /// Adds one unit with its value, and its value from before the experiment or 0.
    pub fn add(&mut self, y: f64, x: f64) {
        self.n += 1;
        self.y += y;
        self.y2 += y * y;
        self.x += x;
        self.x2 += x * x;
        self.xy += x * y;
    }

    /// Returns the sums over the units of both arms or days.
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

    /// Returns the number of units as a float.
    pub fn units(&self) -> f64 {
        // This is exact up to 2^53 units.
        self.n as f64
    }

    /// Returns the mean of the metric; 0 without units.
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.y / self.units() }
    }

    /// Returns the estimate for the arm: a mean or a ratio; 0 without data.
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

    /// Returns the variance of one unit's contribution. The estimate has this variance divided by
    /// `n`. A ratio uses the delta method, because units were sampled and not single values.
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

    /// Returns the covariance of the metric and its value before the experiment, with the divisor n
    /// − 1.
    pub(super) fn covariance(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        (self.xy - self.x * self.y / self.units()) / (self.units() - 1.0)
    }
}

/// Returns the variance. `max` is needed because rounding may give a negative result if all values
/// are equal and large.
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
    fn computes_values_that_were_calculated_by_hand() {
        let sums = sums(&[(2.0, 1.0), (4.0, 2.0), (9.0, 3.0)]);
        assert_eq!(sums.mean(), 5.0);
        assert_eq!(sums.variance(Measure::Mean), 13.0);
        assert_eq!(sums.variance_before(Measure::Mean), 1.0);
        assert_eq!(sums.covariance(), 3.5);
    }

    #[test]
    fn a_proportion_has_the_variance_of_a_proportion() {
        let sums = sums(&[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]);
        assert_eq!(sums.variance(Measure::Proportion), 0.1875);
    }

    /// Calculated by hand: residuals y - 2 d of -1, 0 and 1, divided by n - 1 and the squared mean
    /// of d.
    #[test]
    fn the_variance_of_a_ratio_depends_on_both_parts() {
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
    fn zero_and_one_unit_have_no_variance() {
        for values in [&[][..], &[(7.0, 7.0)]] {
            let sums = sums(values);
            assert_eq!(sums.variance(Measure::Mean), 0.0);
            assert_eq!(sums.variance(Measure::Proportion), 0.0);
            assert_eq!(sums.covariance(), 0.0);
        }
    }

    #[test]
    fn rounding_never_makes_a_variance_negative() {
        let sums = sums(&[(1e9 + 0.1, 0.0); 7]);
        assert!(sums.variance(Measure::Mean) >= 0.0);
    }

    #[test]
    fn adding_days_equals_adding_units() {
        let (monday, tuesday) = ([(1.0, 2.0), (3.0, 4.0)], [(5.0, 6.0)]);
        let whole = sums(&[monday[0], monday[1], tuesday[0]]);
        assert_eq!(sums(&monday).plus(&sums(&tuesday)), whole);
    }
}
