//! Writes a case file part by part, with at most one document in memory.

use std::collections::VecDeque;
use std::sync::Arc;

use musette_core::decisions::DecisionReceipt;
use musette_core::instant::Instant;
use musette_core::log::entry::DecisionKind;
use musette_core::log::receipt::Receipt;
use musette_core::terms::{Catalog, ReceiptKey};
use musette_store::{DocumentName, Person, Store, StoreError};

use super::archive::{Archive, TooLarge};
use super::contents::{CaseExistedBefore, ListedFile, Manifest, json};
use super::gather::{CaseFileContents, gather};
use super::{KEYS, MANIFEST, PAGE, page, sha256};
use crate::evidence::certificate;
use crate::evidence::certificate::{Content, ExistedBefore, NotACertificate, certificate};

/// The maximum number of submissions in a case file; people usually have dozens. `as_of` creates
/// smaller files.
pub const SUBMISSIONS_MAX: i64 = 5_000;

/// The maximum number of records of evaluations and restrictions, and messages. An archive has at most
/// 65,534 files.
pub const RECORDS_MAX: usize = 20_000;

/// The person and the options of a case file.
pub struct CaseQuery {
    pub person: Person,
    /// The time up to which evidence is included.
    pub as_of: Option<Instant>,
    /// A language tag, or an `Accept-Language` header.
    pub locale: String,
}

/// The reason why a case file cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The person was erased in the meantime.
    #[error("the person was erased")]
    Erased,
    #[error(
        "a case file may have at most {SUBMISSIONS_MAX} submissions, {RECORDS_MAX} records of decisions and messages, and 4 GiB; use an earlier --as-of"
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
    Token(String),
    Certificate(Box<Receipt>),
    Document { path: String, sha256: String },
    Object(DecisionKind, usize),
    Page,
    Manifest,
}

/// A case file that is being written piece by piece.
pub struct Case {
    store: Arc<Store>,
    catalog: Arc<Catalog>,
    gathered: CaseFileContents,
    parts: VecDeque<Part>,
    archive: Archive,
    listed: Vec<ListedFile>,
}

impl Case {
    /// Reads the content; later calls only read documents.
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
        parts.extend(gathered.tokens.keys().cloned().map(Part::Token));
        parts.extend(receipts.into_iter().map(|receipt| Part::Certificate(Box::new(receipt))));
        let documents = gathered.contents.documents.iter();
        parts.extend(documents.map(|document| Part::Document {
            path: document.path.clone(),
            sha256: document.sha256.clone(),
        }));
        for (kind, objects) in gathered.contents.objects() {
            parts.extend((0..objects.len()).map(|i| Part::Object(kind, i)));
        }
        parts.extend([Part::Page, Part::Manifest]);
        let (archive, listed) = (Archive::default(), Vec::new());
        Ok(Self { store, catalog, gathered, parts, archive, listed })
    }

    /// Returns the next bytes of the archive. None after the last.
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
            Part::Token(path) => {
                let token = self.gathered.tokens.get(&path).cloned().unwrap_or_default();
                (path, token)
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
            Part::Object(kind, i) => self.object(kind, i)?,
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

    /// Renders the page of an evaluation or a restriction.
    fn object(&self, kind: DecisionKind, i: usize) -> Result<(String, Vec<u8>), CaseError> {
        let CaseFileContents { contents, files, .. } = &self.gathered;
        let objects = contents.objects().into_iter().find(|(of, _)| *of == kind);
        let object = objects.and_then(|(_, objects)| objects.get(i));
        let Some(object) = object else { return Ok(Default::default()) };
        let receipts = object.records.iter().map(|record| {
            let text = files.get(&record.receipt).map(String::as_str).unwrap_or_default();
            DecisionReceipt::parse(text)
        });
        let receipts: Result<Vec<_>, _> = receipts.collect();
        let receipts = receipts.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let page = page::object_page(kind, object, &receipts, &contents.locale);
        Ok((object.page.clone(), page.into_bytes()))
    }

    fn sort(&mut self) {
        self.listed.sort_by(|one, other| one.path.cmp(&other.path));
    }

    /// Creates a certificate. It does not contain the address of this server, because the keys are
    /// in the file.
    async fn certificate(&self, receipt: Receipt) -> Result<Vec<u8>, CaseError> {
        let contents = &self.gathered.contents;
        let vkey_of = |origin: &str| self.gathered.vkeys.get(origin).cloned();
        let user_id = Some(contents.person.user_id.clone());
        let content = Content::new(&receipt, &self.catalog, user_id, &vkey_of, KEYS.to_owned())?;
        let decision = contents.decisions.iter().find(|decision| decision.receipt_id == receipt.id);
        let existed_before = decision.and_then(|decision| decision.existed_before.as_ref());
        let content = content.stamped(existed_before.and_then(existed));
        let texts = certificate::texts(&contents.locale);
        // Text shaping and compression take milliseconds, which must not block requests.
        let certificate_pdf =
            tokio::task::spawn_blocking(move || certificate(&receipt, &content, texts));
        let certificate_pdf =
            certificate_pdf.await.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(certificate_pdf?)
    }
}

/// Reads what a decision says about its time stamp.
pub fn existed(stamp: &CaseExistedBefore) -> Option<ExistedBefore> {
    let at = Instant::parse(&stamp.at).ok()?;
    Some(ExistedBefore { at, authority: stamp.authority.clone() })
}
