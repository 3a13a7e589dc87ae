//! The answers that flags give to most people, written when the snapshot is built: to give one is to
//! copy it. What depends on more than the rule (holdouts, sticky assignments, fallback units,
//! overrides, prerequisites) is put together when it is asked for.

use super::{Flag, FlagId, Serve, Snapshot};
use crate::flags::evaluation::{Evaluation, Ready};

/// As the third version of the API has them, each as a member of an object: `"quest-cards":{…}`. Those of
/// all flags stand in one text, in the order in which most people ask for them.
#[derive(Debug, Default)]
pub(in crate::flags) struct Answers {
    text: Box<[u8]>,
    /// First of each flag that of being off, or the default; then those of the rules, of an experiment
    /// one for each arm.
    places: Box<[Place]>,
}

#[derive(Debug)]
struct Place {
    start: usize,
    /// Of the name and the colon.
    name_bytes: u32,
    bytes: u32,
}

impl Answers {
    #[inline]
    pub fn member(&self, number: u32) -> &[u8] {
        let place = &self.places[number as usize];
        &self.text[place.start..][..place.bytes as usize]
    }

    /// `{…}`
    #[inline]
    pub fn object(&self, number: u32) -> &[u8] {
        &self.member(number)[self.places[number as usize].name_bytes as usize..]
    }

    /// `"quest-cards":`
    #[inline]
    pub fn name(&self, number: u32) -> &[u8] {
        &self.member(number)[..self.places[number as usize].name_bytes as usize]
    }
}

/// Writes them, when all else stands there.
pub(super) fn fill(snapshot: &mut Snapshot) {
    let mut next = 0;
    for flag in &mut snapshot.flags {
        number(flag, &mut next);
    }
    let (mut text, mut places) = (Vec::new(), Vec::with_capacity(next as usize));
    for id in snapshot.flags() {
        write(snapshot, id, &mut text, &mut places);
    }
    snapshot.answers = Answers { text: text.into(), places: places.into() };
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

fn write(snapshot: &Snapshot, id: FlagId, text: &mut Vec<u8>, places: &mut Vec<Place>) {
    let flag = snapshot.compiled(id);
    let name = super::json_text(snapshot.key(id)) + ":";
    let mut write = |ready: Ready<'_>| {
        let start = text.len();
        text.extend_from_slice(name.as_bytes());
        Evaluation::ready(snapshot, id, ready).write_v3(text);
        let bytes = (text.len() - start) as u32;
        places.push(Place { start, name_bytes: name.len() as u32, bytes });
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
