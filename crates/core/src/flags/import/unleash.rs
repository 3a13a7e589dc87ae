//! Imports Unleash's features document, as its clients fetch it (`/api/client/features`).

mod constraint;
mod dependency;
mod feature;
mod input;
mod strategy;
mod variants;
mod window;

use super::draft::Draft;
use super::report::SourcePointer;
use super::{Imported, malformed};
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::{Condition, Segment};

/// Translates features, segments and dependencies. Constraints on Unleash's `environment` are resolved for the one given.
///
/// # Errors
/// When the text is not a document of Unleash, or the result would break a rule.
pub fn unleash(text: &str, environment: &str) -> Result<Imported, Vec<Diagnostic>> {
    let input: input::Features = serde_json::from_str(text).map_err(|error| malformed(&error))?;
    Draft::make(|draft| {
        environment.clone_into(&mut draft.environment);
        for (i, segment) in input.segments.iter().enumerate() {
            let place = SourcePointer::default().at("segments").at(i);
            translate_segment(draft, segment, &place);
        }
        for (i, feature) in input.features.iter().enumerate() {
            let place = SourcePointer::default().at("features").at(i);
            feature::translate(draft, feature, &input.segments, &place);
        }
        dependency::translate(draft, &input);
    })
}

fn segment_key(id: i64) -> String {
    format!("segment-{id}")
}

/// Converts a segment. If one of its constraints cannot be converted, the segment is left out, and
/// so are all strategies that name it.
///
/// A segment that depends on the time becomes a part of each strategy that names it, because only rollouts have times.
fn translate_segment(draft: &mut Draft, segment: &input::Segment, place: &SourcePointer) {
    if constraint::depends_on_time(&segment.constraints) {
        let reason =
            "it depends on the time, so its constraints are a part of each strategy that names it";
        return draft.leave_out(place, reason);
    }
    match constraint::all(draft, &segment.constraints, place) {
        Ok(translated) => {
            draft.left_out.extend(translated.notes);
            draft.segments.push(Segment {
                key: segment_key(segment.id),
                description: segment.name.clone(),
                r#match: Condition::All(translated.conditions),
            });
        }
        Err(left_out) => draft.left_out.push(left_out),
    }
}

#[cfg(test)]
mod tests;
