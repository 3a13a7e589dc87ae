//! Published documents as files beside the database, named by their hash: a reader is given part by
//! part what the kernel has in its cache, and holds neither the document in memory nor a connection to
//! the database. The files are copies, made when somebody first asks; they may be deleted at any time.

mod body;
mod copy;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use musette_store::{DocumentName, Store, StoreError};
use tokio::sync::{Mutex, Semaphore};

use body::Reader;

/// Files are read by so many threads at once, however many wait.
const READING_MAX: usize = 8;
/// From the database it costs more: SQLite takes the whole document into memory for any part of it.
const READING_FROM_STORE_MAX: usize = 2;

/// How a document is encoded on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Gzip,
}

pub struct Documents {
    directory: PathBuf,
    /// One copy is made at a time, and those who wait for it find it.
    copying: Mutex<()>,
    shared: Arc<Shared>,
}

/// State that all readers share.
struct Shared {
    readers: AtomicUsize,
    files: Semaphore,
    store: Semaphore,
}

/// A document that can be read.
pub struct Opened {
    pub length: u64,
    source: Source,
    shared: Arc<Shared>,
}

#[derive(Clone)]
enum Source {
    File(Arc<File>),
    /// Where there is no room for a copy.
    Store(Arc<Store>, DocumentName),
}

impl Documents {
    pub fn new(directory: PathBuf) -> Self {
        let shared = Shared {
            readers: AtomicUsize::new(0),
            files: Semaphore::new(READING_MAX),
            store: Semaphore::new(READING_FROM_STORE_MAX),
        };
        Self { directory, copying: Mutex::default(), shared: Arc::new(shared) }
    }

    /// How long it is, without reading it; none when there is no such document.
    pub async fn length(
        &self,
        store: &Store,
        name: &DocumentName,
    ) -> Result<Option<u64>, StoreError> {
        match self.copied(name, Encoding::Identity).await? {
            Some((_, length)) => Ok(Some(length)),
            None => store.document_length(name).await,
        }
    }

    /// Opens a document that is there.
    pub async fn open(
        &self,
        store: &Arc<Store>,
        name: &DocumentName,
        encoding: Encoding,
    ) -> Result<Opened, StoreError> {
        let shared = Arc::clone(&self.shared);
        if let Some((file, length)) = self.copied(name, encoding).await? {
            return Ok(Opened { length, source: Source::File(file), shared });
        }
        let _copying = self.copying.lock().await;
        let mut found = self.copied(name, encoding).await?;
        if found.is_none() {
            match self.copy(store, name, encoding).await {
                Ok(()) => found = self.copied(name, encoding).await?,
                // No room, or no right to write: the database has it all the same.
                Err(StoreError::File(error)) if encoding == Encoding::Identity => {
                    tracing::warn!(error = %error, "a document was not copied out of the database");
                }
                Err(error) => return Err(error),
            }
        }
        if let Some((file, length)) = found {
            return Ok(Opened { length, source: Source::File(file), shared });
        }
        let length = store.document_length(name).await?;
        let length = length.ok_or_else(|| StoreError::Corrupt("a document is gone".into()))?;
        Ok(Opened { length, source: Source::Store(Arc::clone(store), name.clone()), shared })
    }

    /// Its copy, if there is one.
    async fn copied(
        &self,
        name: &DocumentName,
        encoding: Encoding,
    ) -> Result<Option<(Arc<File>, u64)>, StoreError> {
        let file = self.directory.join(file_name(name, encoding));
        let open = move || -> io::Result<_> {
            let file = File::open(file)?;
            let length = file.metadata()?.len();
            Ok((Arc::new(file), length))
        };
        let opened = tokio::task::spawn_blocking(open).await;
        match opened.map_err(io::Error::other)? {
            Ok(opened) => Ok(Some(opened)),
            // Any other fault of a copy: read from the database.
            Err(_) => Ok(None),
        }
    }
}

/// The file name: hash and part were checked, so no character means anything to a file system.
fn file_name(DocumentName { sha256, part }: &DocumentName, encoding: Encoding) -> String {
    let gz = if encoding == Encoding::Gzip { ".gz" } else { "" };
    match part {
        None => format!("{sha256}.pdf{gz}"),
        Some(part) => format!("{sha256}-{part}{gz}"),
    }
}

impl Opened {
    /// Its first bytes, at most so many.
    pub async fn head(&self, length: usize) -> Result<Bytes, StoreError> {
        let length = length.min(usize::try_from(self.length).unwrap_or(length));
        self.shared.read(&self.source, 0, length).await
    }

    /// Gives the bytes from `first` on, `length` of them, part by part as they are taken; none when
    /// too many are reading already.
    pub fn read(self, first: u64, length: u64) -> Option<axum::body::Body> {
        Reader::start(self.source, self.shared, first, length)
    }
}

impl Shared {
    async fn read(&self, source: &Source, at: u64, length: usize) -> Result<Bytes, StoreError> {
        match source {
            Source::File(file) => {
                let _permit = self.files.acquire().await;
                let file = Arc::clone(file);
                let read = move || {
                    let mut bytes = vec![0; length];
                    file.read_exact_at(&mut bytes, at).map(|()| bytes)
                };
                let read = tokio::task::spawn_blocking(read).await;
                Ok(read.map_err(io::Error::other)??.into())
            }
            Source::Store(store, name) => {
                let _permit = self.store.acquire().await;
                Ok(store.document_slice(name, at, length).await?.into())
            }
        }
    }

    fn readers(&self) -> usize {
        self.readers.load(Ordering::Relaxed)
    }
}
