//! One version of a configuration, ready to be served.

use std::sync::Arc;

use musette_core::flags::{Diagnostic, Document, Snapshot};
use musette_core::instant::Instant;

use super::lists::Lists;

/// A version, compiled, and what is needed to write it to disk and to know its next step.
pub struct Current {
    pub snapshot: Arc<Snapshot>,
    pub lists: Lists,
    /// When the next scheduled step after it comes into force.
    pub(super) next_step: Option<Instant>,
    pub(super) saved_at: Instant,
    /// The document as it was saved; none where nothing was saved yet.
    pub(super) text: Option<Arc<str>>,
}

impl Current {
    /// Compiling a large document takes milliseconds of processor time: not on a thread that serves.
    pub(super) async fn compile(
        environment: &str,
        version: u64,
        text: Option<String>,
        saved_at: Instant,
    ) -> Result<Self, String> {
        let environment = environment.to_owned();
        let work = move || {
            let document = match &text {
                Some(text) => document(&environment, version, text)?,
                None => Document::new(&environment),
            };
            let snapshot = Snapshot::compile(&document).map_err(|faults| first(&faults))?;
            let next_step = snapshot.steps_after(saved_at);
            let text = text.map(Into::into);
            let lists = Lists::new(&snapshot);
            Ok(Self { snapshot: Arc::new(snapshot), lists, next_step, saved_at, text })
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?
    }
}

/// A stored text as the document that it is; `--env` and the row's number win over what stands in it.
fn document(environment: &str, version: u64, text: &str) -> Result<Document, String> {
    let mut document = Document::parse(text).map_err(|faults| first(&faults))?;
    environment.clone_into(&mut document.environment);
    document.version = version;
    Ok(document)
}

fn first(faults: &[Diagnostic]) -> String {
    faults.first().map_or_else(String::new, ToString::to_string)
}
