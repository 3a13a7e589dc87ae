//! The body of a response for many flags, written directly into bytes.

use std::io::Write as _;

use musette_core::flags::{ApiVersion, Evaluation, write_unknown};

use super::buffer::with_room;
use super::evaluate::Evaluator;
use crate::flags::ruleset::lists::{Item, List};

/// The size of most results in version 3, so that the buffer rarely grows.
const RESULT_BYTES: usize = 256;

/// The holdouts of all results, without duplicates.
#[derive(Default)]
struct Holdouts<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Holdouts<'a> {
    fn add(&mut self, evaluation: &Evaluation<'a>) {
        for holdout in evaluation.holdouts() {
            // A person is in one group of each holdout.
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

pub fn write_many(evaluator: &Evaluator<'_>, list: &List, version: ApiVersion) -> Vec<u8> {
    let mut out = with_room(64 + list.items.len() * RESULT_BYTES);
    let is_v3 = version == ApiVersion::V3;
    if is_v3 {
        let _ = write!(out, "{{\"version\":{},\"flags\":", evaluator.snapshot.version());
    }
    let mut holdouts = Holdouts::default();
    out.push(b'{');
    for (i, item) in list.items.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        match item {
            Item::Flag(flag) if !evaluator.debug => {
                let evaluation = evaluator.evaluate(*flag);
                evaluation.write_member(version, &mut out);
                holdouts.add(&evaluation);
            }
            Item::Flag(flag) => {
                write_name(evaluator.snapshot.key(*flag), &mut out);
                holdouts.add(&evaluator.write_debug(*flag, version, &mut out));
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
