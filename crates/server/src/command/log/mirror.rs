//! `log verify --mirror`: compares the log with the copy that another party keeps.

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::frontier::Frontier;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::tile::{Resource, WIDTH, decode_entries};
use musette_store::{Log, Store};

use crate::command::{Failure, counted};
use crate::evidence::anchors::remote_log::RemoteLog;

pub(super) fn remote(url: &str) -> Result<RemoteLog, Failure> {
    RemoteLog::new(url).map_err(|error| Failure::Usage(format!("--mirror {url}: {error}")))
}

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("--mirror: {error}"))
}

/// Compares all entries, and returns the end of the message.
pub(super) async fn compare(store: &Store, mirror: &RemoteLog) -> Result<String, Failure> {
    let note = mirror.checkpoint("checkpoint").await.map_err(refused)?;
    let note = note.ok_or_else(|| refused(format!("{} has no checkpoint", mirror.url())))?;
    let logs = store.logs().await?;
    let keys: Vec<VerifierKey> = logs.iter().flat_map(Log::keys).collect();
    let copy = Checkpoint::open(&note, &keys).map_err(refused)?;
    let log = logs.iter().find(|log| log.origin == copy.origin);
    let log = log.ok_or_else(|| refused(format!("it is a copy of the log {}", copy.origin)))?;
    // After the copy's checkpoint, so that the log has at least its entries.
    let own = store.checkpoint_of(log).await?.unwrap_or_default();
    let own = Checkpoint::open(&own, &keys).map_err(refused)?;
    if copy.size > own.size {
        return Err(refused(format!(
            "it has {} and this log has {}, from index {} on they differ: the store was restored from an older backup, or entries were removed",
            counted(copy.size, "entry", "entries"),
            own.size,
            own.size,
        )));
    }
    let root = compare_entries(store, log, mirror, copy.size).await?;
    if root != copy.root {
        return Err(refused(
            "the signed root of the copy is not that of its entries: the log has signed another tree of the same size",
        ));
    }
    Ok(match own.size - copy.size {
        0 => "; the mirror has all entries".to_owned(),
        behind => {
            format!("; the mirror is behind by {}", counted(behind, "entry", "entries"))
        }
    })
}

/// Compares the first `size` entries, and returns the root of their tree.
async fn compare_entries(
    store: &Store,
    log: &Log,
    mirror: &RemoteLog,
    size: u64,
) -> Result<Hash, Failure> {
    let mut tree = Frontier::default();
    while tree.size() < size {
        let first = tree.size();
        let index = first / u64::from(WIDTH);
        let width = (size - first).min(u64::from(WIDTH)) as u16;
        let bundle = mirror.resource(Resource::Entries { index, width }).await;
        let (bundle, received) = bundle.map_err(refused)?;
        let copies = decode_entries(&bundle, received)
            .map_err(|error| refused(format!("the bundle of index {first}: {error}")))?;
        let own = store.log_bundle(log, index, width).await?;
        let own = own.ok_or_else(|| refused(format!("this log lacks entries after {first}")))?;
        for (at, (own, copy)) in (first..).zip(own.iter().zip(copies)) {
            if own.as_bytes() != copy {
                return Err(refused(format!("the entry with index {at} differs in the mirror")));
            }
            tree.append(Hash::leaf(copy));
        }
    }
    Ok(tree.root())
}
