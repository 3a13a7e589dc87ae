//! The list of targets. To add one, add a line here and a function to one of the modules. It takes bytes
//! and returns its result as text, by which the fuzzer distinguishes results. Leave out values that differ
//! for every input (a hash, a time).

mod bodies;
mod flags;
mod log;
mod timestamps;
mod witness;

pub struct Target {
    pub name: &'static str,
    pub seeds: fn() -> Vec<Vec<u8>>,
    pub run: fn(&[u8]) -> String,
}

const fn target(
    name: &'static str,
    seeds: fn() -> Vec<Vec<u8>>,
    run: fn(&[u8]) -> String,
) -> Target {
    Target { name, seeds, run }
}

pub fn all() -> Vec<Target> {
    vec![
        target("notes", log::notes, log::note),
        target("checkpoints", log::notes, log::checkpoint),
        target("tlog-proofs", log::proofs, log::proof),
        target("tile-paths", log::tile_paths, log::tile_path),
        target("tiles", log::tiles, log::tile),
        target("entries", log::entries, log::entry),
        target("receipts", log::receipts, log::receipt),
        target("vkeys", log::vkeys, log::vkey),
        target("add-checkpoint", witness::requests, witness::request),
        target("cosignatures", witness::notes, witness::note),
        target("cosigner-vkeys", witness::vkeys, witness::vkey),
        target("mirror-uploads", witness::uploads, witness::upload),
        target("policies", log::policies, log::policy),
        target("timestamps", timestamps::replies, timestamps::reply),
        target("json-bodies", bodies::bodies, bodies::json),
        target("import-csv", bodies::csv, bodies::import_csv),
        target("import-jsonl", bodies::jsonl, bodies::import_jsonl),
        target("flag-documents", flags::documents, flags::document),
        target("flag-contexts", flags::contexts, flags::context),
        target("headers", bodies::headers, bodies::header),
    ]
}

/// Most parsers take text; input that is not UTF-8 does not reach them.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}

fn kind<T, E: std::fmt::Debug>(result: &Result<T, E>) -> String {
    match result {
        Ok(_) => "taken".into(),
        // The start of an error message names its kind; quoted input would make each message new.
        Err(error) => format!("{error:?}").chars().take(24).collect(),
    }
}
