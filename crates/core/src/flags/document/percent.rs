//! Exact percentages: a thousandth of a percent is one of 100,000 buckets.

use serde::{Serialize, Serializer};

/// A percentage from 0 to 100 with at most three decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u32);

impl Percent {
    /// 0 %: no unit.
    pub const ZERO: Self = Self(0);
    /// 100 %: all units.
    pub const HUNDRED: Self = Self(100_000);

    /// Creates a percentage; `None` above 100,000.
    pub const fn from_thousandths(thousandths: u32) -> Option<Self> {
        if thousandths <= 100_000 { Some(Self(thousandths)) } else { None }
    }

    /// Creates a percentage; `None` if it is out of range or has more than three decimals.
    pub fn from_number(percent: f64) -> Option<Self> {
        if !(0.0..=100.0).contains(&percent) {
            return None;
        }
        let thousandths = (percent * 1000.0).round();
        // Three decimals parse to the floating-point number nearest to these thousandths.
        (thousandths / 1000.0 == percent).then_some(Self(thousandths as u32))
    }

    /// Returns the share in buckets of 100,000: 12.345 % are 12,345.
    pub const fn thousandths(self) -> u32 {
        self.0
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1000) {
            serializer.serialize_u32(self.0 / 1000)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 1000.0)
        }
    }
}
