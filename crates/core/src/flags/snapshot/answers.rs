//! Prepared results: JSON that is written when the snapshot is built, so that most evaluations only
//! copy bytes.
//!
//! A result depends on the flag and the deciding part, and not on the user, unless holdouts, sticky
//! assignments, fallback units, overrides or prerequisites are involved. Those results are written
//! on request. Therefore each flag has one result for being off or the default, one for each rule,
//! and one for each arm of an experiment.
//!
//! They are stored in one allocation in the order of the flags, and are found by number: rules
//! contain the number of their first result, and `spans` contains offset and length. The memory is
//! O(flags + rules + arms) times the length of a result. Returning a result is O(its length), and
//! nothing is formatted or escaped during a request.

use super::{Flag, FlagId, Serve, Snapshot};
use crate::flags::evaluation::{Evaluation, Ready};

/// Results in version 3 of the API, each as a member of an object: `"quest-cards":{…}`. The results
/// of all flags are in one text, in the order in which most clients evaluate them.
#[derive(Debug, Default)]
pub(in crate::flags) struct Answers {
    text: Box<[u8]>,
    /// Positions of the results. For each flag, the first is that of being off or the default,
    /// followed by those of its rules. An experiment has one per arm.
    spans: Box<[Span]>,
}

#[derive(Debug)]
struct Span {
    start: usize,
    /// Number of bytes of the name and the colon.
    name_bytes: u32,
    bytes: u32,
}

impl Answers {
    #[inline]
    pub fn member(&self, number: u32) -> &[u8] {
        let span = &self.spans[number as usize];
        &self.text[span.start..][..span.bytes as usize]
    }

    /// Returns the object, `{…}`.
    #[inline]
    pub fn object(&self, number: u32) -> &[u8] {
        &self.member(number)[self.spans[number as usize].name_bytes as usize..]
    }

    /// Returns the name, `"quest-cards":`.
    #[inline]
    pub fn name(&self, number: u32) -> &[u8] {
        &self.member(number)[..self.spans[number as usize].name_bytes as usize]
    }
}

/// Writes all results. The rest of the snapshot must be complete.
pub(super) fn fill(snapshot: &mut Snapshot) {
    let mut next = 0;
    for flag in &mut snapshot.flags {
        number(flag, &mut next);
    }
    let (mut text, mut spans) = (Vec::new(), Vec::with_capacity(next as usize));
    for id in snapshot.flags() {
        write(snapshot, id, &mut text, &mut spans);
    }
    snapshot.answers = Answers { text: text.into(), spans: spans.into() };
}

fn number(flag: &mut Flag, next: &mut u32) {
    flag.whole = *next;
    *next += 1;
    for rule in &mut flag.rules {
        rule.whole = *next;
        *next += match &rule.serve {
            Serve::Variation(_) | Serve::Rollout(_) => 1,
            Serve::Experiment(experiment) => experiment.cuts.len() as u32,
        };
    }
}

fn write(snapshot: &Snapshot, id: FlagId, text: &mut Vec<u8>, spans: &mut Vec<Span>) {
    let flag = snapshot.compiled(id);
    let name = super::json_text(snapshot.key(id)) + ":";
    let mut write = |ready: Ready<'_>| {
        let start = text.len();
        text.extend_from_slice(name.as_bytes());
        Evaluation::ready(snapshot, id, ready).write_v3(text);
        let bytes = (text.len() - start) as u32;
        spans.push(Span { start, name_bytes: name.len() as u32, bytes });
    };
    write(Ready::Last);
    for rule in &flag.rules {
        match &rule.serve {
            Serve::Variation(variation) => write(Ready::Rule(rule, *variation)),
            Serve::Rollout(rollout) => write(Ready::Rule(rule, rollout.variation)),
            Serve::Experiment(experiment) => {
                for (_, variation) in &experiment.cuts {
                    write(Ready::Arm(rule, experiment, *variation));
                }
            }
        }
    }
}
