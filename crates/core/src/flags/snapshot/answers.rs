//! The answer buffer: answers as JSON, written when the snapshot is built, so that most evaluations end in
//! one copy of bytes.
//!
//! An answer depends on the flag and on what decided, not on the person, unless holdouts, sticky assignments,
//! fallback units, overrides or prerequisites take part: those are written when they are asked for. So each
//! flag has one answer for being off or the default, one for each rule, and one for each arm of an experiment.
//! They lie one after the other in one allocation in the order of the flags, and are found by number: rules
//! hold the number of their first answer, and `spans` holds offset and length. Memory is O(flags + rules +
//! arms) times the length of an answer; giving an answer is O(its length). Nothing is
//! formatted or escaped while somebody waits.

use super::{Flag, FlagId, Serve, Snapshot};
use crate::flags::evaluation::{Evaluation, Ready};

/// Answers in the third version of the API, each as a member of an object: `"quest-cards":{…}`. The
/// answers of all flags stand in one text, in the order in which most people ask for them.
#[derive(Debug, Default)]
pub(in crate::flags) struct Answers {
    text: Box<[u8]>,
    /// First of each flag that of being off, or the default; then those of the rules, of an experiment
    /// one for each arm.
    spans: Box<[Span]>,
}

#[derive(Debug)]
struct Span {
    start: usize,
    /// Bytes of the name and the colon.
    name_bytes: u32,
    bytes: u32,
}

impl Answers {
    #[inline]
    pub fn member(&self, number: u32) -> &[u8] {
        let span = &self.spans[number as usize];
        &self.text[span.start..][..span.bytes as usize]
    }

    /// `{…}`
    #[inline]
    pub fn object(&self, number: u32) -> &[u8] {
        &self.member(number)[self.spans[number as usize].name_bytes as usize..]
    }

    /// `"quest-cards":`
    #[inline]
    pub fn name(&self, number: u32) -> &[u8] {
        &self.member(number)[..self.spans[number as usize].name_bytes as usize]
    }
}

/// Writes them, when all else stands there.
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
