//! The answers that a flag gives to most people, written when the snapshot is built: to give one is to
//! copy it. What depends on more than the rule (holdouts, sticky assignments, fallback units,
//! overrides, prerequisites) is put together when it is asked for.

use super::{FlagId, Serve, Snapshot};
use crate::flags::evaluation::{Evaluation, Ready};

/// As the third version of the API has them, each as a member of an object: `"quest-cards":{…}`.
#[derive(Debug, Default)]
pub(in crate::flags) struct Answers {
    text: Box<str>,
    /// Where each ends in `text`: the first is that of a flag that is off, or the default; then come
    /// those of the rules, of an experiment one for each arm.
    ends: Box<[u32]>,
    /// Bytes of the name and the colon in each.
    name: u32,
}

impl Answers {
    #[inline]
    pub fn member(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[number] as usize]
    }

    /// `{…}`
    #[inline]
    pub fn object(&self, number: u32) -> &str {
        &self.member(number)[self.name as usize..]
    }

    /// `"quest-cards":`
    #[inline]
    pub fn name(&self) -> &str {
        &self.text[..self.name as usize]
    }
}

/// Writes them into the flags, when all else stands there.
pub(super) fn fill(snapshot: &mut Snapshot) {
    for number in 0..snapshot.flags.len() {
        let mut next = 1;
        for rule in &mut snapshot.flags[number].rules {
            rule.whole = next;
            next += match &rule.serve {
                Serve::Variation(_) | Serve::Rollout(_) => 1,
                Serve::Experiment(experiment) => experiment.cuts.len() as u32,
            };
        }
        let answers = written(snapshot, FlagId::from_number(number as u32));
        snapshot.flags[number].answers = answers;
    }
}

fn written(snapshot: &Snapshot, id: FlagId) -> Answers {
    let flag = snapshot.compiled(id);
    let name = super::json_text(snapshot.key(id)) + ":";
    let mut text = Vec::new();
    let mut ends = Vec::new();
    let mut write = |ready: Ready<'_>| {
        text.extend_from_slice(name.as_bytes());
        Evaluation::ready(snapshot, id, ready).write_v3(&mut text);
        ends.push(text.len() as u32);
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
    Answers {
        // Names, values and keys are texts.
        text: String::from_utf8(text).unwrap_or_default().into(),
        ends: ends.into(),
        name: name.len() as u32,
    }
}
