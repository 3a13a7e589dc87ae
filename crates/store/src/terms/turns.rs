//! Events of terms: published, effective, grace ended. The last two are caused by time.

use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Term};
use serde_json::{Value, json};

use super::read_catalog;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::outbox::{NewEvent, append_events};

pub(crate) const TURNS: Table = Table {
    name: "term_turns",
    columns: &[("term_id", ColumnType::Int), ("turn", ColumnType::Text), ("at", ColumnType::Int)],
};

pub(crate) const INSERT_TURN: &str =
    "INSERT INTO term_turns (term_id, turn, at) VALUES ($1, $2, $3)";
/// Adds the future turns of a restored store that had none yet.
pub(crate) const INSERT_FUTURE_TURNS: [&str; 2] = [
    "INSERT INTO term_turns (term_id, turn, at) SELECT id, 'effective', effective_from FROM terms
    WHERE effective_from > $1 ON CONFLICT (term_id, turn) DO NOTHING",
    "INSERT INTO term_turns (term_id, turn, at) SELECT id, 'grace_ended', grace_until FROM terms
    WHERE grace_until > $1 ON CONFLICT (term_id, turn) DO NOTHING",
];
const SELECT_IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM term_turns WHERE at <= $1)";
/// Takes the due rows. It is the first statement of the transaction, so that only one of several
/// nodes gets them.
const TAKE_DUE: &str = "DELETE FROM term_turns WHERE at <= $1 RETURNING term_id, turn, at";
const SELECT_NEXT: &str = "SELECT min(at) FROM term_turns";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    INSERT_TURN,
    INSERT_FUTURE_TURNS[0],
    INSERT_FUTURE_TURNS[1],
    SELECT_IS_DUE,
    TAKE_DUE,
    SELECT_NEXT,
];

/// Returns the future turns of a term.
pub(crate) fn future_turns(term: &Term, now: Instant) -> Vec<(&'static str, Instant)> {
    let turns = [("effective", Some(term.effective_from)), ("grace_ended", term.grace_until)];
    turns.into_iter().filter_map(|(turn, at)| Some((turn, at.filter(|at| *at > now)?))).collect()
}

fn data(term: &Term) -> Value {
    json!({
        "term_id": term.id,
        "type": term.kind.as_str(),
        "kind": term.term_kind.as_str(),
        "version": term.version,
        "mandatory": term.mandatory,
        "effective_from": term.effective_from.to_string(),
        "grace_until": term.grace_until.map(|instant| instant.to_string()),
        "replaces": term.replaces,
    })
}

/// Creates the events of a publication.
pub(crate) fn publication_events(term: &Term, now: Instant) -> Vec<NewEvent> {
    let mut events = vec![NewEvent::new("term.published", now, &data(term))];
    if term.is_effective(now) {
        events.push(NewEvent::new("term.effective", now, &data(term)));
    }
    events
}

/// Creates the event of a turn; `None` if the version was cancelled or its document was retired
/// before.
fn event(catalog: &Catalog, (term, turn, at): &(i64, String, i64)) -> Option<NewEvent> {
    let at = Instant::from_millis(*at);
    let term = catalog.get(*term).filter(|term| catalog.is_effective(term, at))?;
    if catalog.is_retired(term.id, at) {
        return None;
    }
    let kind = if turn == "effective" { "term.effective" } else { "term.grace_ended" };
    Some(NewEvent::new(kind, at, &data(term)))
}

impl Store {
    /// Returns when the next turn of a term is due.
    pub async fn next_term_turn(&self) -> Result<Option<Instant>, StoreError> {
        let at: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(SELECT_NEXT).fetch_one(pool).await)?;
        Ok(at.map(Instant::from_millis))
    }

    /// Writes the events that are due.
    pub async fn write_due_term_events(&self, now: Instant) -> Result<(), StoreError> {
        let is_due: bool = read!(self, |pool| sqlx::query_scalar(SELECT_IS_DUE)
            .bind(now.millis())
            .fetch_one(pool)
            .await)?;
        if !is_due {
            return Ok(());
        }
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let mut turns: Vec<(i64, String, i64)> =
                sqlx::query_as(TAKE_DUE).bind(now.millis()).fetch_all(&mut *tx).await?;
            turns.sort_by(|a, b| (a.2, a.0, &a.1).cmp(&(b.2, b.0, &b.1)));
            let catalog = read_catalog!(&mut *tx);
            let events = turns.iter().filter_map(|turn| event(&catalog, turn)).collect();
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
        });
        Ok(())
    }
}
