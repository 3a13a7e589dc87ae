//! The audit events about the end of a published version.

use musette_core::terms::{Ending, EndingChange, TermId};

/// Returns the event of the audit.
pub const fn event(change: EndingChange) -> &'static str {
    match change {
        EndingChange::Cancel => "term_cancelled",
        EndingChange::UndoCancellation => "term_cancellation_undone",
        EndingChange::Retire(_) => "term_retired",
        EndingChange::UndoRetirement => "term_retirement_undone",
    }
}

/// Returns the version, with the time of the retirement of its document.
pub fn detail(id: TermId, ending: Option<Ending>) -> String {
    match ending {
        Some(Ending::Retired(at)) => format!("{id} {at}"),
        _ => id.to_string(),
    }
}
