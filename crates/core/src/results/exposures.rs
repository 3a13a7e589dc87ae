use serde::Serialize;

const SHARE_MAX: f64 = 0.01;
const UNITS_SEEN_MIN: u64 = 10;

/// Units that were exposed to more than one arm of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MultipleExposures {
    /// Number of these units.
    pub units: u64,
    /// Share of all exposed units.
    pub share: f64,
    /// Whether there are so many that the assignment itself must be wrong.
    pub warning: bool,
}

/// Evaluates how many units were exposed to more than one arm. It warns above 1 % if there are at
/// least 10 such units.
pub fn multiple_exposures(units_in_two: u64, units: u64) -> MultipleExposures {
    let share = if units == 0 { 0.0 } else { units_in_two as f64 / units as f64 };
    let warning = share > SHARE_MAX && units_in_two >= UNITS_SEEN_MIN;
    MultipleExposures { units: units_in_two, share, warning }
}

#[cfg(test)]
mod tests {
    use super::multiple_exposures;

    #[test]
    fn warns_only_above_both_limits() {
        for (units_in_two, units, warning) in [
            (0, 0, false),
            (0, 100, false),
            (9, 100, false),
            (10, 100, true),
            (10, 1_000, false),
            (11, 1_000, true),
        ] {
            let exposures = multiple_exposures(units_in_two, units);
            assert_eq!(exposures.warning, warning, "{units_in_two} of {units}");
        }
    }
}
