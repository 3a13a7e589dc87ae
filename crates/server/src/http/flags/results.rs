//! The body of an answer for many flags, written straight into bytes.

use std::io::Write as _;

use musette_core::flags::{ApiVersion, Evaluation, write_unknown};

use super::buffer::with_room;
use super::evaluate::Asking;
use crate::ruleset::lists::{Item, List};

/// What most results have, in the third version, so that the buffer grows seldom.
const RESULT_BYTES: usize = 256;

/// The holdouts that some result names, each once.
#[derive(Default)]
struct Holdouts<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Holdouts<'a> {
    fn add(&mut self, evaluation: &Evaluation<'a>) {
        for holdout in evaluation.holdouts() {
            // A person is in one group of each.
            if self.0.iter().all(|(key, _)| *key != holdout.key) {
                self.0.push((holdout.key, holdout.group.as_str()));
            }
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(b",\"holdouts\":[");
        for (i, (key, group)) in self.0.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            out.extend(b"{\"key\":");
            // Writing to memory cannot fail.
            let _ = serde_json::to_writer(&mut *out, key);
            let _ = write!(out, ",\"group\":\"{group}\"}}");
        }
        out.push(b']');
    }
}

pub fn write_many(asking: &Asking<'_>, list: &List, version: ApiVersion) -> Vec<u8> {
    let mut out = with_room(64 + list.items.len() * RESULT_BYTES);
    let is_v3 = version == ApiVersion::V3;
    if is_v3 {
        let _ = write!(out, "{{\"version\":{},\"flags\":", asking.snapshot.version());
    }
    let mut holdouts = Holdouts::default();
    out.push(b'{');
    for (i, item) in list.items.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        match item {
            Item::Flag(flag) if !asking.debug => {
                let evaluation = asking.evaluate(*flag);
                evaluation.write_member(version, &mut out);
                holdouts.add(&evaluation);
            }
            Item::Flag(flag) => {
                write_name(asking.snapshot.key(*flag), &mut out);
                holdouts.add(&asking.write_debug(*flag, version, &mut out));
            }
            Item::Unknown(key) => {
                write_name(key, &mut out);
                write_unknown(version, &mut out);
            }
        }
    }
    out.push(b'}');
    if is_v3 {
        holdouts.write(&mut out);
        out.push(b'}');
    }
    out
}

fn write_name(name: &str, out: &mut Vec<u8>) {
    let _ = serde_json::to_writer(&mut *out, name);
    out.push(b':');
}
