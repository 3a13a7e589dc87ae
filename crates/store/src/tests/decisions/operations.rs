//! The calls of the store that the model makes.

use musette_core::decisions::Evaluation;
use musette_core::instant::Instant;

use super::super::next_id;
use crate::decisions::Randomness;
use crate::{Change, ChangeOutcome, NewReply, ReadAt, Store, Written};

pub(super) const RANDOM: Randomness = Randomness { bytes, uuid: next_id };

fn bytes() -> [u8; 32] {
    [7; 32]
}

/// One call.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    /// Makes changes of one author.
    Change { changes: Vec<Change>, reply: Option<NewReply> },
    /// Erases a person.
    Erase(String),
    /// Reads an evaluation.
    Read(String),
    /// Sends the reminders that are due.
    Remind,
}

/// The result of an [`Operation`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    Changed(Vec<ChangeOutcome>),
    Replayed(String),
    KeyReused,
    Erased(bool),
    Read(Option<Box<Evaluation>>),
    Reminded(u64),
}

/// Returns the answer to remember: that of one change if it was made, that of several in any case.
pub(super) fn rendered(outcomes: &Vec<ChangeOutcome>) -> Option<(i64, String)> {
    let is_made = |outcome: &ChangeOutcome| {
        use ChangeOutcome::{Changed, Created, Existing};
        matches!(outcome, Created(_) | Existing(_) | Changed(_))
    };
    (outcomes.len() > 1 || outcomes.iter().all(is_made)).then(|| (200, format!("{outcomes:?}")))
}

pub(super) async fn run(store: &Store, operation: &Operation, now: i64) -> Outcome {
    let now = Instant::from_millis(now);
    match operation {
        Operation::Change { changes, reply } => {
            let written =
                store.change_evaluations(changes, reply.as_ref(), &rendered, RANDOM, now).await;
            match written.expect("works") {
                Written::Done(done) => Outcome::Changed(done.outcomes),
                Written::Replayed(reply) => Outcome::Replayed(reply.body),
                Written::KeyReused => Outcome::KeyReused,
            }
        }
        Operation::Erase(user) => {
            Outcome::Erased(store.erase_user(user, now).await.expect("works"))
        }
        Operation::Read(id) => {
            let read_at = ReadAt { random: RANDOM, now };
            let read = store.evaluation(id, read_at).await.expect("works");
            Outcome::Read(read.map(|read| Box::new(read.evaluation)))
        }
        Operation::Remind => {
            Outcome::Reminded(store.send_discussion_reminders(now).await.expect("works"))
        }
    }
}
