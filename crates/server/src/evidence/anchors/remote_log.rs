//! Reads a log or a mirror of another party (C2SP `tlog-tiles`).

use std::collections::BTreeMap;

use bytes::Bytes;
use musette_core::log::edge::Edge;
use musette_core::log::hash::Hash;
use musette_core::log::tile::{self, Resource, Tile, WIDTH};

use super::client::{Client, check_url};

/// The maximum length of a checkpoint. Many post-quantum signatures fit.
const CHECKPOINT_MAX: usize = 512 * 1024;
/// A bundle of the largest entries has 16 MiB.
const RESOURCE_MAX: usize = 17 * 1024 * 1024;

/// A log that another party serves.
pub struct RemoteLog {
    client: Client,
    /// Prefix of the checkpoint and the tiles, without a slash at its end.
    url: String,
}

impl RemoteLog {
    /// Prepares to read from this address.
    ///
    /// # Errors
    /// Returns an error if it is not a URL.
    pub fn new(url: &str) -> Result<Self, String> {
        let url = check_url(url)?.trim_end_matches('/').to_owned();
        Ok(Self { client: Client::with_kept_connections(), url })
    }

    /// Returns the address.
    pub fn url(&self) -> &str {
        &self.url
    }

    async fn get(&self, path: &str, body_max: usize) -> Result<Option<Bytes>, String> {
        let url = format!("{}/{path}", self.url);
        let response = self.client.get(&url, body_max).await;
        let response = response.map_err(|error| format!("{url}: {error}"))?;
        match response.status {
            200 => Ok(Some(response.body)),
            404 => Ok(None),
            status => Err(format!("{url}: status {status}")),
        }
    }

    /// Fetches a checkpoint by its path, such as `checkpoint`; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if the other party does not respond, or with something else.
    pub async fn checkpoint(&self, path: &str) -> Result<Option<String>, String> {
        let bytes = self.get(path, CHECKPOINT_MAX).await?;
        let text = bytes.map(|bytes| String::from_utf8(bytes.to_vec())).transpose();
        text.map_err(|_| format!("{}/{path}: it is not UTF-8", self.url))
    }

    /// Fetches a tile or bundle, or the full one at its position, and returns its width.
    ///
    /// # Errors
    /// Returns an error if the other party does not have it.
    pub async fn resource(&self, resource: Resource) -> Result<(Bytes, u16), String> {
        let (full, width) = match resource {
            Resource::Entries { index, width } => {
                (Resource::Entries { index, width: WIDTH }, width)
            }
            Resource::Hashes(tile) => (Resource::Hashes(Tile { width: WIDTH, ..tile }), tile.width),
        };
        if let Some(bytes) = self.get(&resource.to_string(), RESOURCE_MAX).await? {
            return Ok((bytes, width));
        }
        // A log may delete a partial file once the full one exists.
        let bytes = self.get(&full.to_string(), RESOURCE_MAX).await?;
        let missing = || format!("{}/{resource}: it is missing", self.url);
        Ok((bytes.ok_or_else(missing)?, WIDTH))
    }

    /// Computes the root of the first `size` entries from the tiles.
    ///
    /// # Errors
    /// Returns an error if a tile is missing.
    pub async fn root(&self, size: u64) -> Result<Hash, String> {
        let mut tiles = BTreeMap::new();
        for tile in tile::partial(size) {
            let mut bytes = self.resource(Resource::Hashes(tile)).await?.0.to_vec();
            bytes.truncate(usize::from(tile.width) * Hash::LENGTH);
            tiles.insert(tile, bytes);
        }
        let edge = Edge::restore(size, |tile| tiles.remove(&tile).ok_or("a tile is missing"));
        let edge = edge.map_err(|error| format!("{}: a tile is malformed: {error}", self.url))?;
        Ok(edge.root())
    }

    /// Computes the proof that the tree of `new` entries extends that of `old` entries, from the
    /// tiles that the other party serves.
    ///
    /// # Errors
    /// Returns an error if a tile is missing.
    pub async fn consistency(&self, old: u64, new: u64) -> Result<Vec<Hash>, String> {
        let needed = tile::needed_for_consistency(old, new).map_err(|error| error.to_string())?;
        let mut tiles = BTreeMap::new();
        for tile in needed {
            tiles.insert(tile, self.resource(Resource::Hashes(tile)).await?.0);
        }
        let proof = tile::consistency(old, new, |tile| tiles.get(&tile).ok_or("a tile is missing"));
        proof.map_err(|error| format!("{}: a tile is malformed: {error:?}", self.url))
    }
}
