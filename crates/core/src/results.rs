//! Results of experiments and holdouts, computed from sums per arm.
//!
//! The verdict stays valid if it is read every day, because its interval is an asymptotic
//! confidence sequence. The result also has the usual interval, which is valid only for one look at
//! a planned end.
//!
//! Exposures, and how values become sums, are in the store. The names of arms are in the
//! configuration.

mod comparison;
mod exposures;
mod gamma;
mod planning;
mod sample_ratio;
mod student;
mod sums;
mod test;
mod verdict;

pub use comparison::{Comparison, Effect, NoVerdictReason, Question, compare};
pub use exposures::{MultipleExposures, multiple_exposures};
pub use planning::{DAYS_MIN, Plan, days_until};
pub use sample_ratio::{SampleRatio, holdout_ratio, sample_ratio};
pub use sums::{Measure, Sums};
pub use test::{Interval, TestResult};
pub use verdict::{Goal, Verdict};

/// Minimum number of units per arm. All tests here rely on the central limit theorem.
pub const UNITS_MIN: u64 = 8;
