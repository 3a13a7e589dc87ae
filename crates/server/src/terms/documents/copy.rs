//! Copies a document from the database to a file, part by part. The file gets its name when it is
//! complete and on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use musette_store::{DocumentName, Store, StoreError};
use sha2::{Digest as _, Sha256};

use super::{Documents, Encoding, file_name};
use crate::platform::random;

/// The size of a part. SQLite loads the whole document for each part, so the parts must not be
/// small. Larger parts would use memory that the allocator does not return.
const PART_BYTES: usize = 256 * 1024;

/// The writer of the copy, plain or compressed.
enum Out {
    Plain(File),
    Gzip(Box<GzEncoder<File>>),
}

impl Out {
    fn new(file: File, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Identity => Self::Plain(file),
            Encoding::Gzip => Self::Gzip(Box::new(GzEncoder::new(file, Compression::default()))),
        }
    }

    fn write(mut self, bytes: &[u8]) -> io::Result<Self> {
        match &mut self {
            Self::Plain(file) => file.write_all(bytes)?,
            Self::Gzip(file) => file.write_all(bytes)?,
        }
        Ok(self)
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.sync_all(),
            Self::Gzip(file) => file.finish()?.sync_all(),
        }
    }
}

impl Documents {
    /// Copies a document. An error of the file is a `StoreError::File`; then there is no copy.
    pub(super) async fn copy(
        &self,
        store: &Store,
        name: &DocumentName,
        encoding: Encoding,
    ) -> Result<(), StoreError> {
        let named = self.directory.join(file_name(name, encoding));
        // Several nodes may share the directory.
        let partial = self.directory.join(format!("{}.partial", random::hex::<8>()));
        let filled = self.fill(store, name, encoding, &partial).await;
        let (from, to) = (partial.clone(), named);
        let result = match filled {
            Ok(()) => blocking(move || fs::rename(from, to)).await,
            Err(error) => Err(error),
        };
        if result.is_err() {
            // The file may not exist.
            let _ = fs::remove_file(&partial);
        }
        result
    }

    async fn fill(
        &self,
        store: &Store,
        name: &DocumentName,
        encoding: Encoding,
        partial: &Path,
    ) -> Result<(), StoreError> {
        let length = store.document_length(name).await?;
        let length = length.ok_or_else(|| StoreError::Corrupt("a document is missing".into()))?;
        let (directory, file) = (self.directory.clone(), partial.to_owned());
        let mut out = blocking(move || create(&directory, &file, encoding)).await?;
        let mut digest = Sha256::new();
        let mut at = 0;
        while at < length {
            let bytes = store.document_slice(name, at, PART_BYTES).await?;
            if bytes.is_empty() {
                return Err(StoreError::Corrupt(format!("document {} is truncated", name.sha256)));
            }
            at += bytes.len() as u64;
            digest.update(&bytes);
            out = blocking(move || out.write(&bytes)).await?;
        }
        let sha256 = hex::encode(digest.finalize());
        if name.part.is_none() && sha256 != name.sha256 {
            // A wrong document must not be shown as the one that people have accepted.
            let detail = format!("document {} has the wrong content", name.sha256);
            return Err(StoreError::Corrupt(detail));
        }
        blocking(move || out.finish()).await
    }
}

fn create(directory: &Path, file: &Path, encoding: Encoding) -> io::Result<Out> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let file = File::options().write(true).create_new(true).mode(0o600).open(file)?;
    Ok(Out::new(file, encoding))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    Ok(tokio::task::spawn_blocking(work).await.map_err(io::Error::other)??)
}
