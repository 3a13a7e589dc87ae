//! A compiled running experiment.

use crate::flags::bucket::{BUCKETS, Draw};
use crate::flags::context::SlotId;
use crate::flags::document;
use crate::flags::json::json_text;

#[derive(Debug)]
pub(in crate::flags) struct Experiment {
    pub key: Box<str>,
    pub unit: SlotId,
    pub fallback_unit: Option<SlotId>,
    pub layer: Option<Layer>,
    pub coverage: u32,
    pub cover: Draw,
    pub split: Draw,
    /// End of each variation's range of buckets, in the order of the flag's variations.
    pub cuts: Box<[(u32, u16)]>,
    pub sticky: bool,
    pub bucket_version: u32,
    pub min_bucket_version: u32,
    pub phase: u32,
    /// Part of the result:
    /// `"experiment":{"key":"checkin-v2","unit":"userId","phase":1,"bucketVersion":1,"variation":`
    pub json: Box<str>,
    /// This part for units that are drawn by the fallback unit.
    pub fallback_json: Box<str>,
}

#[derive(Debug)]
pub(in crate::flags) struct Layer {
    pub draw: Draw,
    /// The slots of this experiment.
    pub slots: Box<[(u32, u32)]>,
}

impl Experiment {
    #[inline]
    pub fn covers(&self, unit: &str) -> bool {
        self.coverage >= BUCKETS || self.cover.bucket(unit) < self.coverage
    }

    /// Returns the index of the first range that ends after the unit's bucket.
    #[inline]
    pub fn arm(&self, unit: &str) -> Option<usize> {
        let bucket = self.split.bucket(unit);
        self.cuts.iter().position(|(end, _)| bucket < *end)
    }

    pub fn json(experiment: &document::Experiment, unit: &str) -> Box<str> {
        let (key, unit) = (json_text(&experiment.key), json_text(unit));
        let (phase, bucket_version) = (experiment.phase, experiment.bucket_version);
        format!(
            r#""experiment":{{"key":{key},"unit":{unit},"phase":{phase},"bucketVersion":{bucket_version},"variation":"#
        )
        .into()
    }

    pub fn cuts(experiment: &document::Experiment, flag: &document::Flag) -> Box<[(u32, u16)]> {
        let mut end = 0;
        let weighted = flag.variations.iter().zip(0..).filter_map(|(variation, number)| {
            let weight = *experiment.weights.get(&variation.key)?;
            end += weight;
            (weight > 0).then_some((end, number))
        });
        weighted.collect()
    }
}

impl Layer {
    #[inline]
    pub fn takes(&self, unit: &str) -> bool {
        let bucket = self.draw.bucket(unit);
        self.slots.iter().any(|(from, to)| (*from..*to).contains(&bucket))
    }
}
