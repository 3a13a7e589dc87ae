//! Writing a case file part by part: no more than one document is in memory at once.

use std::collections::VecDeque;
use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::log::receipt::Receipt;
use musette_core::terms::{Catalog, ReceiptKey};
use musette_store::{DocumentName, Person, Store, StoreError};

use super::archive::{Archive, TooLarge};
use super::contents::{ListedFile, Manifest, json};
use super::gather::{Gathered, gather};
use super::{KEYS, MANIFEST, PAGE, page, sha256};
use crate::certificate::{self, Content, NotACertificate, certificate};

/// Whoever submitted more often gets files of less by `as_of`. A person decides dozens of times.
pub const SUBMISSIONS_MAX: i64 = 5_000;

/// What a case is asked for.
pub struct CaseQuery {
    pub person: Person,
    /// Only what was recorded until then.
    pub as_of: Option<Instant>,
    /// A language tag, or an `Accept-Language` header.
    pub locale: String,
}

/// Why there is no case file.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Meanwhile.
    #[error("the person was erased")]
    Erased,
    #[error(
        "a case file has at most {SUBMISSIONS_MAX} submissions and 4 GiB; an earlier --as-of has less"
    )]
    TooLarge,
    #[error(transparent)]
    Certificate(#[from] NotACertificate),
}

impl From<TooLarge> for CaseError {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// A file of the archive that is not written yet.
enum Part {
    Text(String),
    Certificate(Box<Receipt>),
    Document { path: String, sha256: String },
    Page,
    Manifest,
}

/// A case file on its way: ask for the next piece until there is none.
pub struct Case {
    store: Arc<Store>,
    catalog: Arc<Catalog>,
    gathered: Gathered,
    parts: VecDeque<Part>,
    archive: Archive,
    listed: Vec<ListedFile>,
}

impl Case {
    /// Reads what the file will say; from here on only documents are read.
    pub async fn new(
        store: Arc<Store>,
        key: &ReceiptKey,
        catalog: Arc<Catalog>,
        mut query: CaseQuery,
    ) -> Result<Self, CaseError> {
        certificate::texts(&query.locale).tag.clone_into(&mut query.locale);
        let mut gathered = gather(&store, key, &catalog, &query).await?;
        let receipts = std::mem::take(&mut gathered.receipts);
        let mut parts: VecDeque<Part> = gathered.files.keys().cloned().map(Part::Text).collect();
        parts.extend(receipts.into_iter().map(|it| Part::Certificate(Box::new(it))));
        let documents = gathered.contents.documents.iter();
        parts.extend(documents.map(|document| Part::Document {
            path: document.path.clone(),
            sha256: document.sha256.clone(),
        }));
        parts.extend([Part::Page, Part::Manifest]);
        let (archive, listed) = (Archive::default(), Vec::new());
        Ok(Self { store, catalog, gathered, parts, archive, listed })
    }

    /// The next bytes of the archive; none after the last.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, CaseError> {
        let Some(part) = self.parts.pop_front() else { return Ok(None) };
        let is_last = self.parts.is_empty();
        let (path, bytes) = self.file(part).await?;
        self.archive.add(&path, &bytes)?;
        self.listed.push(ListedFile { sha256: sha256(&bytes), path });
        let mut out = self.archive.take();
        if is_last {
            out.extend(std::mem::take(&mut self.archive).finish()?);
        }
        Ok(Some(out))
    }

    async fn file(&mut self, part: Part) -> Result<(String, Vec<u8>), CaseError> {
        Ok(match part {
            Part::Text(path) => {
                let text = self.gathered.files.get(&path).cloned().unwrap_or_default();
                (path, text.into_bytes())
            }
            Part::Certificate(receipt) => {
                let path = format!("certificates/{}.pdf", receipt.id);
                (path, self.certificate(*receipt).await?)
            }
            Part::Document { path, sha256 } => {
                let name = DocumentName { sha256, part: None };
                let length = self.store.document_length(&name).await?.unwrap_or_default();
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                (path, self.store.document_slice(&name, 0, length).await?)
            }
            Part::Page => {
                self.sort();
                let page = page::page(&self.gathered.contents, &self.gathered.files, &self.listed);
                (PAGE.to_owned(), page.into_bytes())
            }
            Part::Manifest => {
                self.sort();
                let manifest = Manifest { files: std::mem::take(&mut self.listed) };
                (MANIFEST.to_owned(), json(&manifest).into_bytes())
            }
        })
    }

    fn sort(&mut self) {
        self.listed.sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// Says nothing that depends on where this server is reached: the keys are in the file itself.
    async fn certificate(&self, receipt: Receipt) -> Result<Vec<u8>, CaseError> {
        let contents = &self.gathered.contents;
        let vkey_of = |origin: &str| self.gathered.vkeys.get(origin).cloned();
        let user_id = Some(contents.person.user_id.clone());
        let content = Content::new(&receipt, &self.catalog, user_id, &vkey_of, KEYS.to_owned())?;
        let texts = certificate::texts(&contents.locale);
        // Shaping and compressing are work of milliseconds, which requests should not wait for.
        let made = tokio::task::spawn_blocking(move || certificate(&receipt, &content, texts));
        let made = made.await.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(made?)
    }
}
