//! A mirror that fetches a log itself (`--pull`). It is a client of this program's witness and mirror, so
//! the fetched checkpoint and entries must pass the same checks as those of other clients.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use axum::http::{Request, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::hash::Hash;
use musette_core::log::mirror::{Package, Range, Upload};
use musette_core::log::note::Note;
use musette_core::log::subtree::Subtree;
use musette_core::log::tile::{self, Resource, Tile, WIDTH, decode_entries};

use super::mirror::{Mirror, Pending};
use super::{Reply, Witness};
use crate::platform::clock::Clock;
use crate::platform::counted::counted;

const TIMEOUT: Duration = Duration::from_secs(10);
/// A bundle of the largest entries has 16 MiB.
const RESPONSE_MAX: usize = 17 * 1024 * 1024;
/// Tiles that are kept for the next proofs; each has at most 8 KiB.
const TILES_MAX: usize = 1_024;

/// The log to fetch, and where it goes.
pub struct Pull {
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
    /// Prefix of the log's checkpoint and tiles, without a slash at its end.
    url: String,
    origin: String,
    witness: Arc<Witness>,
    mirror: Arc<Mirror>,
    clock: Clock,
}

/// The reason why a log could not be fetched or was refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PullError(String);

impl PullError {
    fn new(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl Pull {
    /// Prepares to fetch the log with this origin.
    pub fn new(
        url: &str,
        origin: String,
        witness: Arc<Witness>,
        mirror: Arc<Mirror>,
        clock: Clock,
    ) -> Result<Self, PullError> {
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(PullError::new)?
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        let url = url.trim_end_matches('/').to_owned();
        Ok(Self { client, url, origin, witness, mirror, clock })
    }

    /// Fetches again and again. An error is logged once until it changes.
    pub async fn run(self, every: Duration) {
        let pull = Arc::new(self);
        let mut last_error = None;
        loop {
            let error = pull.update().await.err();
            match &error {
                Some(error) if last_error.as_ref() != Some(error) => {
                    tracing::error!(url = pull.url, error = %error, "a mirror could not follow its log");
                }
                None if last_error.is_some() => {
                    tracing::info!(url = pull.url, "a mirror follows its log again");
                }
                _ => {}
            }
            last_error = error;
            tokio::time::sleep(every).await;
        }
    }

    /// Moves the witness and then the mirror to the log's current checkpoint.
    async fn update(self: &Arc<Self>) -> Result<(), PullError> {
        let note = self.get("checkpoint").await?.ok_or_else(|| missing("checkpoint"))?;
        let note = String::from_utf8(note.to_vec()).map_err(PullError::new)?;
        let parsed = Note::parse(&note).map_err(PullError::new)?;
        let head = Checkpoint::parse_any_origin(parsed.text()).map_err(PullError::new)?;
        if head.origin != self.origin {
            return Err(PullError(format!("it is the log {}", head.origin)));
        }
        let last = self.witness.last(&self.origin);
        let last_size = last.as_ref().map_or(0, |last| last.size);
        if head.size < last_size {
            let size = counted(head.size, "entry", "entries");
            let text = format!("the log shrank from {last_size} to {size}");
            return Err(PullError(text));
        }
        let mut tiles = Tiles { pull: self, by_position: HashMap::new() };
        if last.as_ref() != Some(&head) {
            let needed = tile::needed_for_consistency(last_size, head.size);
            tiles.fetch(needed.map_err(PullError::new)?).await?;
            let proof = tile::consistency(last_size, head.size, |tile| tiles.read(tile));
            let proof = proof.map_err(PullError::new)?;
            let lines: String =
                proof.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
            let body = format!("old {last_size}\n{lines}\n{note}");
            let (pull, work) = (Arc::clone(self), body.into_bytes());
            let add = move || pull.witness.add_checkpoint(&work, pull.clock.now());
            accepted(tokio::task::spawn_blocking(add).await)?;
        }
        self.copy_entries(&mut tiles).await
    }

    /// Fetches the entries up to the witness's checkpoint, and completes the mirror's checkpoint.
    async fn copy_entries(self: &Arc<Self>, tiles: &mut Tiles<'_>) -> Result<(), PullError> {
        let recent = self.witness.recent(&self.origin).unwrap_or_default();
        let Some(pending) = recent.last().cloned() else { return Ok(()) };
        let Some(log) = self.mirror.log(&self.origin).cloned() else { return Ok(()) };
        let size = pending.checkpoint.size;
        let (copied, next) = log.progress();
        if copied == Some(size) {
            return Ok(());
        }
        let (origin, start) = (self.origin.clone(), next.min(size));
        for range in (Upload { origin, start, end: size, ticket: Vec::new() }).ranges() {
            let package = self.package(range, size, tiles).await?;
            let (log, pending) = (Arc::clone(&log), pending.clone());
            let add = move || {
                let entries = package.0.iter().map(Vec::as_slice).collect();
                log.add_package(range, &Package { entries, proof: package.1 }, &pending.checkpoint)
            };
            let added = tokio::task::spawn_blocking(add).await.map_err(PullError::new)?;
            added.map_err(|reply| PullError(reply.body))?;
        }
        self.complete(pending).await
    }

    async fn complete(self: &Arc<Self>, pending: Pending) -> Result<(), PullError> {
        let pull = Arc::clone(self);
        let complete = move || match pull.mirror.log(&pull.origin) {
            Some(log) => pull.mirror.complete(log, &pending, pull.clock.now()),
            None => Reply::text(StatusCode::NOT_FOUND, "no mirror"),
        };
        accepted(tokio::task::spawn_blocking(complete).await)
    }

    /// Fetches the entries of a package, and computes their proof.
    async fn package(
        &self,
        range: Range,
        size: u64,
        tiles: &mut Tiles<'_>,
    ) -> Result<(Vec<Vec<u8>>, Vec<Hash>), PullError> {
        let index = range.subtree_start / u64::from(WIDTH);
        let width = (range.end - range.subtree_start) as u16;
        let (bundle, width) = self.widest(Resource::Entries { index, width }).await?;
        let entries = decode_entries(&bundle, width).map_err(PullError::new)?;
        let first = (range.start - range.subtree_start) as usize;
        let last = (range.end - range.subtree_start) as usize;
        let entries = entries[first..last].iter().map(|entry| entry.to_vec()).collect();
        let subtree = Subtree::new(range.subtree_start, range.end);
        let subtree = subtree.ok_or_else(|| PullError("a range is not aligned".into()))?;
        let needed = tile::needed_for_subtree(subtree, size).map_err(PullError::new)?;
        tiles.fetch(needed).await?;
        let proof =
            tile::subtree(subtree, size, |tile| tiles.read(tile)).map_err(PullError::new)?;
        Ok((entries, proof))
    }

    /// Fetches a resource, or the full one at its position, and returns its width.
    async fn widest(&self, resource: Resource) -> Result<(Bytes, u16), PullError> {
        let (full, width) = match resource {
            Resource::Entries { index, width } => {
                (Resource::Entries { index, width: WIDTH }, width)
            }
            Resource::Hashes(tile) => (Resource::Hashes(Tile { width: WIDTH, ..tile }), tile.width),
        };
        if let Some(bytes) = self.get(&resource.to_string()).await? {
            return Ok((bytes, width));
        }
        // A log may delete a partial file once the full one exists.
        let bytes = self.get(&full.to_string()).await?;
        Ok((bytes.ok_or_else(|| missing(&resource.to_string()))?, WIDTH))
    }

    /// Fetches a path; `None` if the log does not have it.
    async fn get(&self, path: &str) -> Result<Option<Bytes>, PullError> {
        let url = format!("{}/{path}", self.url);
        let request = Request::get(&url).body(Empty::new()).map_err(PullError::new)?;
        let exchange = async {
            let response = self.client.request(request).await.map_err(PullError::new)?;
            match response.status() {
                StatusCode::OK => {}
                StatusCode::NOT_FOUND => return Ok(None),
                status => return Err(PullError(format!("{path}: status {status}"))),
            }
            let body = Limited::new(response.into_body(), RESPONSE_MAX).collect().await;
            Ok(Some(body.map_err(PullError::new)?.to_bytes()))
        };
        let late = |_| PullError(format!("{path}: no response in time"));
        tokio::time::timeout(TIMEOUT, exchange).await.map_err(late)?
    }
}

fn missing(path: &str) -> PullError {
    PullError(format!("{path}: the log does not have it"))
}

fn accepted(reply: Result<Reply, tokio::task::JoinError>) -> Result<(), PullError> {
    let reply = reply.map_err(PullError::new)?;
    if reply.status == StatusCode::OK {
        return Ok(());
    }
    Err(PullError(format!(
        "the checkpoint is refused with {}: {}",
        reply.status,
        reply.body.trim()
    )))
}

/// Tiles that were fetched for proofs.
struct Tiles<'a> {
    pull: &'a Pull,
    by_position: HashMap<(u8, u64), (u16, Bytes)>,
}

impl Tiles<'_> {
    async fn fetch(&mut self, needed: BTreeSet<Tile>) -> Result<(), PullError> {
        if self.by_position.len() > TILES_MAX {
            self.by_position.clear();
        }
        for tile in needed {
            let position = (tile.level, tile.index);
            let is_there =
                self.by_position.get(&position).is_some_and(|(width, _)| *width >= tile.width);
            if !is_there {
                let (bytes, width) = self.pull.widest(Resource::Hashes(tile)).await?;
                self.by_position.insert(position, (width, bytes));
            }
        }
        Ok(())
    }

    fn read(&self, tile: Tile) -> Result<Bytes, PullError> {
        let bytes = self.by_position.get(&(tile.level, tile.index));
        bytes.map(|(_, bytes)| bytes.clone()).ok_or_else(|| PullError("a tile is missing".into()))
    }
}
