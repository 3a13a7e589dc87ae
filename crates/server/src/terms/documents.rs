//! Published documents as files next to the database, named by their hash. A document is sent part
//! by part from the page cache of the kernel, without a copy in memory and without a database
//! connection. The files are copies that are created with the first request; they may be deleted at
//! any time.

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

/// The maximum number of concurrent reads of files; further ones wait.
const FILE_READS_MAX: usize = 8;
/// The maximum number of concurrent reads of the database. They cost more: SQLite loads the whole
/// document for any part.
const STORE_READS_MAX: usize = 2;

/// The content encoding of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Gzip,
}

pub struct Documents {
    directory: PathBuf,
    /// Held while a copy is created; waiting requests then use it.
    copying: Mutex<()>,
    shared: Arc<Shared>,
}

/// State that all readers share.
struct Shared {
    readers: AtomicUsize,
    files: Semaphore,
    store: Semaphore,
}

/// A document that is open for reading.
pub struct Opened {
    pub length: u64,
    source: Source,
    shared: Arc<Shared>,
}

#[derive(Clone)]
enum Source {
    File(Arc<File>),
    /// The database, if there is no room for a copy.
    Store(Arc<Store>, DocumentName),
}

impl Documents {
    pub fn new(directory: PathBuf) -> Self {
        let shared = Shared {
            readers: AtomicUsize::new(0),
            files: Semaphore::new(FILE_READS_MAX),
            store: Semaphore::new(STORE_READS_MAX),
        };
        Self { directory, copying: Mutex::default(), shared: Arc::new(shared) }
    }

    /// Returns the length without reading the document. None if it does not exist.
    pub async fn length(
        &self,
        store: &Store,
        name: &DocumentName,
    ) -> Result<Option<u64>, StoreError> {
        match self.open_copy(name, Encoding::Identity).await? {
            Some((_, length)) => Ok(Some(length)),
            None => store.document_length(name).await,
        }
    }

    /// Opens an existing document.
    pub async fn open(
        &self,
        store: &Arc<Store>,
        name: &DocumentName,
        encoding: Encoding,
    ) -> Result<Opened, StoreError> {
        let shared = Arc::clone(&self.shared);
        if let Some((file, length)) = self.open_copy(name, encoding).await? {
            return Ok(Opened { length, source: Source::File(file), shared });
        }
        let _copying = self.copying.lock().await;
        let mut copy = self.open_copy(name, encoding).await?;
        if copy.is_none() {
            match self.copy(store, name, encoding).await {
                Ok(()) => copy = self.open_copy(name, encoding).await?,
                // The disk is full or not writable: the document is read from the database instead.
                Err(StoreError::File(error)) if encoding == Encoding::Identity => {
                    tracing::warn!(error = %error, "a document could not be copied to disk: it is read from the database, which is slower");
                }
                Err(error) => return Err(error),
            }
        }
        if let Some((file, length)) = copy {
            return Ok(Opened { length, source: Source::File(file), shared });
        }
        let length = store.document_length(name).await?;
        let length = length.ok_or_else(|| StoreError::Corrupt("a document is missing".into()))?;
        Ok(Opened { length, source: Source::Store(Arc::clone(store), name.clone()), shared })
    }

    /// Returns the copy on disk, if there is one.
    async fn open_copy(
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
            // After any other error of the copy, the document is read from the database.
            Err(_) => Ok(None),
        }
    }
}

/// Returns the file name. Hash and part are validated, so they contain no character with a meaning
/// in paths.
fn file_name(DocumentName { sha256, part }: &DocumentName, encoding: Encoding) -> String {
    let gz = if encoding == Encoding::Gzip { ".gz" } else { "" };
    match part {
        None => format!("{sha256}.pdf{gz}"),
        Some(part) => format!("{sha256}-{part}{gz}"),
    }
}

impl Opened {
    /// Returns the first bytes, at most `length`.
    pub async fn head(&self, length: usize) -> Result<Bytes, StoreError> {
        let length = length.min(usize::try_from(self.length).unwrap_or(length));
        self.shared.read(&self.source, 0, length).await
    }

    /// Streams `length` bytes from `first` on, part by part. None if there are already too many
    /// readers.
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
                let work = move || {
                    let mut bytes = vec![0; length];
                    file.read_exact_at(&mut bytes, at).map(|()| bytes)
                };
                let read = tokio::task::spawn_blocking(work).await;
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
