//! Limits of what each client address and key holds open: connections, requests whose body is
//! incomplete, and event streams. Without them, one address could use all resources of a node.

use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;

use super::network;
use crate::platform::slots::{HeldSlot, Slots};

/// High, because a depot or a mobile network has one address and hundreds of riders with an open
/// stream. A proxy of `--trusted-proxies` has no limit here; its clients have their own limits.
const CONNECTIONS_OF_ADDRESS: usize = 2_000;
const STREAMS_OF_ADDRESS: usize = 1_000;
/// Half of the streams of a node, so that other keys can use the other half.
const STREAMS_OF_KEY: usize = 25_000;
/// Requests with an incomplete body. Usually a body arrives with its head, or within a second.
const UNFINISHED_OF_ADDRESS: usize = 200;
const UNFINISHED_OF_KEY: usize = 2_000;

/// A key or token, hashed with a secret of this process.
type HashedKey = u64;

pub struct OpenRequests {
    connections: Slots<IpAddr>,
    unfinished: Pair,
    streams: Pair,
    hasher: RandomState,
}

struct Pair {
    of_address: Slots<IpAddr>,
    of_key: Slots<HashedKey>,
}

/// A slot of an address, and one of a key.
pub type Place = (HeldSlot<IpAddr>, Option<HeldSlot<HashedKey>>);

impl Pair {
    fn new(of_address: usize, of_key: usize) -> Self {
        Self { of_address: Slots::new(of_address), of_key: Slots::new(of_key) }
    }

    fn take(&self, address: IpAddr, key: Option<HashedKey>) -> Option<Place> {
        let of_address = self.of_address.take(network(address))?;
        let of_key = match key {
            Some(key) => Some(self.of_key.take(key)?),
            None => None,
        };
        Some((of_address, of_key))
    }
}

impl Default for OpenRequests {
    fn default() -> Self {
        Self {
            connections: Slots::new(CONNECTIONS_OF_ADDRESS),
            unfinished: Pair::new(UNFINISHED_OF_ADDRESS, UNFINISHED_OF_KEY),
            streams: Pair::new(STREAMS_OF_ADDRESS, STREAMS_OF_KEY),
            hasher: RandomState::new(),
        }
    }
}

impl OpenRequests {
    pub fn connection(&self, peer: IpAddr) -> Option<HeldSlot<IpAddr>> {
        self.connections.take(network(peer))
    }

    /// Takes slots for a request whose body is incomplete.
    pub fn unfinished(&self, address: IpAddr, key: Option<&[u8]>) -> Option<Place> {
        self.unfinished.take(address, key.map(|key| self.hasher.hash_one(key)))
    }

    pub fn stream(&self, address: IpAddr, key: &[u8]) -> Option<Place> {
        self.streams.take(address, Some(self.hasher.hash_one(key)))
    }
}
