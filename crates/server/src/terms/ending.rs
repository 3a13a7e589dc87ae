//! How the audit names the end of a published version.

use musette_core::terms::{Ending, EndingChange, TermId};

/// The event of the audit.
pub const fn event(change: EndingChange) -> &'static str {
    match change {
        EndingChange::Cancel => "term_cancelled",
        EndingChange::UndoCancellation => "term_cancellation_undone",
        EndingChange::Retire(_) => "term_retired",
        EndingChange::UndoRetirement => "term_retirement_undone",
    }
}

/// The version, and from when on its document is retired.
pub fn detail(id: TermId, ending: Option<Ending>) -> String {
    match ending {
        Some(Ending::Retired(at)) => format!("{id} {at}"),
        _ => id.to_string(),
    }
}
