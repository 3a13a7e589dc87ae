use serde::Serialize;

const SHARE_MAX: f64 = 0.01;
const UNITS_SEEN_MIN: u64 = 10;

/// Units that were seen in more than one arm of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MultipleExposures {
    /// How many units that were.
    pub units: u64,
    /// Share of all units seen.
    pub share: f64,
    /// Whether there are so many that the assignment itself must be at fault.
    pub warning: bool,
}

/// Judges how many units were seen in more than one arm. More than 1 % of at least 10 such units
/// warn.
pub fn multiple_exposures(units_in_two: u64, units: u64) -> MultipleExposures {
    let share = if units == 0 { 0.0 } else { units_in_two as f64 / units as f64 };
    let warning = share > SHARE_MAX && units_in_two >= UNITS_SEEN_MIN;
    MultipleExposures { units: units_in_two, share, warning }
}

#[cfg(test)]
mod tests {
    use super::multiple_exposures;

    #[test]
    fn both_limits_must_be_passed() {
        for (units_in_two, units, warning) in [
            (0, 0, false),
            (0, 100, false),
            (9, 100, false),
            (10, 100, true),
            (10, 1_000, false),
            (11, 1_000, true),
        ] {
            let found = multiple_exposures(units_in_two, units);
            assert_eq!(found.warning, warning, "{units_in_two} of {units}");
        }
    }
}
