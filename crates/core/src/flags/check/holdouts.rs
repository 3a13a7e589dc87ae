//! Holdouts: a share that leaves room for its comparison, phases in their order.

use super::Check;
use crate::flags::document::{Holdout, HoldoutStatus, Schedule};
use crate::flags::pointer::Pointer;

const PERCENT_MAX: u32 = 50;
/// The most holdouts that are not over. An evaluation keeps two bits for each.
pub(in crate::flags) const LIVE_MAX: usize = 32;

impl Check<'_> {
    pub(super) fn holdouts(&mut self) {
        let list = Pointer::DOCUMENT.name("holdouts");
        let holdouts = &self.document.holdouts;
        self.keys(holdouts.iter().map(|it| it.key.as_str()), &list, "key");
        let live = holdouts.iter().filter(|it| it.status != HoldoutStatus::Ended);
        self.at_most(live.count(), LIVE_MAX, &list);
        for (index, holdout) in holdouts.iter().enumerate() {
            self.holdout(holdout, &list.index(index));
        }
    }

    fn holdout(&mut self, holdout: &Holdout, place: &Pointer<'_>) {
        self.unit(&holdout.unit, &place.name("unit"));
        if holdout.percent.thousandths() > PERCENT_MAX * 1000 {
            let detail = format!(
                "As many again are measured beside those held out, so {PERCENT_MAX} is the most."
            );
            self.fault(&place.name("percent"), "out_of_range", detail);
        }
        let applies = place.name("applies");
        for (member, flags) in
            [("exceptFlags", &holdout.applies.except_flags), ("flags", &holdout.applies.flags)]
        {
            let list = applies.name(member);
            for (index, flag) in flags.iter().enumerate() {
                if !self.flags.contains_key(flag.as_str()) {
                    let detail = format!("No flag is called {flag:?}.");
                    self.fault(&list.index(index), "unknown_flag", detail);
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
                let detail = "The phases follow one another: start, analysis, stop.";
                self.fault(&member, "out_of_order", detail);
            }
            latest = Some(at);
        }
    }
}
