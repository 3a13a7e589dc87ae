//! Checks of holdouts: the share leaves room for a comparison group, and phases are in order.

use super::Check;
use crate::flags::document::{Holdout, HoldoutStatus, Schedule};
use crate::flags::pointer::Pointer;

const PERCENT_MAX: u32 = 50;
/// Maximum number of holdouts that have not ended. An evaluation stores two bits for each.
pub(in crate::flags) const LIVE_MAX: usize = 32;

impl Check<'_> {
    pub(super) fn holdouts(&mut self) {
        let list = Pointer::DOCUMENT.name("holdouts");
        let holdouts = &self.document.holdouts;
        self.keys(holdouts.iter().map(|holdout| holdout.key.as_str()), &list, "key");
        let live = holdouts.iter().filter(|holdout| holdout.status != HoldoutStatus::Ended);
        self.at_most(live.count(), LIVE_MAX, &list);
        for (index, holdout) in holdouts.iter().enumerate() {
            self.holdout(holdout, &list.index(index));
        }
    }

    fn holdout(&mut self, holdout: &Holdout, place: &Pointer<'_>) {
        self.unit(&holdout.unit, &place.name("unit"));
        if holdout.percent.thousandths() > PERCENT_MAX * 1000 {
            let detail = format!(
                "The comparison group has the same size, so the maximum is {PERCENT_MAX} percent."
            );
            self.report(&place.name("percent"), "out_of_range", detail);
        }
        let applies = place.name("applies");
        for (member, flags) in
            [("exceptFlags", &holdout.applies.except_flags), ("flags", &holdout.applies.flags)]
        {
            let list = applies.name(member);
            for (index, flag) in flags.iter().enumerate() {
                if !self.flags.contains_key(flag.as_str()) {
                    let detail = format!("There is no flag named {flag:?}.");
                    self.report(&list.index(index), "unknown_flag", detail);
                }
            }
        }
        if let Some(population) = &holdout.population {
            self.condition(population, &place.name("population"));
        }
        if let Some(schedule) = &holdout.schedule {
            self.schedule(schedule, &place.name("schedule"));
        }
        self.roles(&holdout.metrics, place);
    }

    fn schedule(&mut self, schedule: &Schedule, place: &Pointer<'_>) {
        let mut latest = None;
        for (member, text) in [
            ("startAt", &schedule.start_at),
            ("analysisAt", &schedule.analysis_at),
            ("stopAt", &schedule.stop_at),
        ] {
            let Some(text) = text else { continue };
            let member = place.name(member);
            let Some(at) = self.instant(text, &member) else { continue };
            if latest.is_some_and(|latest| at <= latest) {
                let detail = "The times must be in this order: start, analysis, stop.";
                self.report(&member, "out_of_order", detail);
            }
            latest = Some(at);
        }
    }
}
