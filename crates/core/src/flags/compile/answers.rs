//! Writes the results that most evaluations only copy.

use crate::flags::evaluation::{Evaluation, Ready};
use crate::flags::json::json_text;
use crate::flags::snapshot::{Answers, Flag, FlagId, Serve, Snapshot, Span};

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
    let name = json_text(snapshot.key(id)) + ":";
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
