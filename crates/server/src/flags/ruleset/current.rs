//! A version of a configuration that is ready to be served.

use std::collections::BTreeSet;
use std::sync::Arc;

use musette_core::flags::{Diagnostic, Document, Snapshot};
use musette_core::instant::Instant;
use musette_store::ReleasedFlag;

use super::lists::Lists;
use super::notices::{released, waiting_keys};

/// A compiled version, with the data for its copy on disk and the time of its next step.
pub struct CurrentVersion {
    pub snapshot: Arc<Snapshot>,
    pub lists: Lists,
    /// The time of the next scheduled step after it was saved.
    pub(super) next_step: Option<Instant>,
    pub(super) saved_at: Instant,
    /// The document as it was saved. None for an empty environment.
    pub(super) text: Option<Arc<str>>,
    /// The flags that do not wait for a notice, as the store has them.
    pub(super) releases: Vec<ReleasedFlag>,
    /// The keys of the flags that wait for a notice.
    pub waiting: BTreeSet<String>,
}

impl CurrentVersion {
    /// Compiles a version on a background thread, because a large document takes milliseconds of
    /// processor time.
    pub(super) async fn compile(
        environment: &str,
        version: u64,
        text: Option<String>,
        saved_at: Instant,
        releases: Vec<ReleasedFlag>,
    ) -> Result<Self, String> {
        let environment = environment.to_owned();
        let work = move || {
            let document = match &text {
                Some(text) => document(&environment, version, text)?,
                None => Document::new(&environment),
            };
            let released = released(&document, &releases);
            let waiting = waiting_keys(&document, &released);
            let snapshot = Snapshot::compile_released(&document, &released)
                .map_err(|errors| first_error(&errors))?;
            let next_step = snapshot.steps_after(saved_at);
            let text = text.map(Into::into);
            let lists = Lists::new(&snapshot);
            let snapshot = Arc::new(snapshot);
            Ok(Self { snapshot, lists, next_step, saved_at, text, releases, waiting })
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?
    }
}

/// Parses a stored document. The environment and the version of its row override those in the text.
fn document(environment: &str, version: u64, text: &str) -> Result<Document, String> {
    let mut document = Document::parse(text).map_err(|errors| first_error(&errors))?;
    environment.clone_into(&mut document.environment);
    document.version = version;
    Ok(document)
}

fn first_error(errors: &[Diagnostic]) -> String {
    errors.first().map_or_else(String::new, ToString::to_string)
}
