//! What the gate answers about some people, and how that differs from what it answered before.

use std::collections::{BTreeMap, HashMap, HashSet};

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Decision, Decisions, GateAnswer, TermId, TermType};
use serde_json::json;
use sha2::Digest as _;

use crate::gate::{LeftRow, StateRow};
use crate::outbox::NewEvent;

/// A rider.
#[derive(sqlx_macros::FromRow)]
pub(super) struct RiderRow {
    pub(super) user_id: String,
    pub(super) market: Option<String>,
}

/// A decision of a rider.
#[derive(sqlx_macros::FromRow)]
pub(super) struct DecisionRow {
    pub(super) user_id: String,
    pub(super) submission: i64,
    pub(super) position: i64,
    pub(super) term_id: i64,
    pub(super) accepted: bool,
}

/// What the gate answered until now.
#[derive(sqlx_macros::FromRow)]
pub(super) struct BeforeRow {
    user_id: String,
    market: Option<String>,
    may_work: bool,
    reasons: String,
    changes_at: Option<i64>,
}

/// What is known of the people that are looked at.
pub(super) struct Known {
    /// Those who are looked at.
    pub(super) ids: Vec<String>,
    /// Those of them whom only the sweep over everybody has come to.
    pub(super) swept: HashSet<String>,
    pub(super) riders: Vec<RiderRow>,
    pub(super) decisions: Vec<DecisionRow>,
    pub(super) before: Vec<BeforeRow>,
    /// The first sweep is over.
    pub(super) is_filled: bool,
}

/// What is written.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) states: Vec<StateRow>,
    pub(super) left: Vec<LeftRow>,
    /// No riders any more.
    pub(super) dropped: Vec<[String; 1]>,
    pub(super) events: Vec<NewEvent>,
}

/// The terms that answers are computed of.
pub(super) struct Rules<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) types: &'a [TermType],
    pub(super) now: Instant,
}

/// Latest decisions by term.
type Accepted = BTreeMap<TermId, bool>;

impl Rules<'_> {
    /// Most people decided the same, so few answers are computed.
    fn answer<'m>(
        &self,
        memory: &'m mut HashMap<(Option<String>, Accepted), GateAnswer>,
        market: Option<&String>,
        accepted: Accepted,
    ) -> &'m GateAnswer {
        memory.entry((market.cloned(), accepted)).or_insert_with_key(|(market, accepted)| {
            let mut decisions = Decisions::default();
            for (&term, &accepted) in accepted {
                decisions.record(term, Decision { accepted, consented_at: self.now });
            }
            let market = market.as_deref().and_then(Market::from_stored);
            GateAnswer::of(self.catalog, &decisions, self.types, market.as_ref(), self.now)
        })
    }

    /// Finds what changed. Changes are numbered after `seq`, which becomes the last number given.
    pub(super) fn changes(&self, known: Known, seq: &mut i64) -> Changes {
        let mut all = Changes::default();
        let mut memory = HashMap::new();
        let mut decided = latest(known.decisions);
        let riders: HashMap<String, Option<String>> =
            known.riders.into_iter().map(|it| (it.user_id, it.market)).collect();
        let mut before: HashMap<String, BeforeRow> =
            known.before.into_iter().map(|it| (it.user_id.clone(), it)).collect();
        for id in known.ids {
            let was = before.remove(&id);
            let Some(market) = riders.get(&id) else {
                all.extend(was.map(|was| self.left(was, seq)));
                continue;
            };
            let accepted = decided.remove(&id).unwrap_or_default();
            let answer = self.answer(&mut memory, market.as_ref(), accepted);
            let reasons = json!(answer.reasons).to_string();
            let changes_at = answer.changes_at.map(Instant::millis);
            let is_same_answer = was.as_ref().is_some_and(|was| was.reasons == reasons);
            if is_same_answer
                && was
                    .as_ref()
                    .is_some_and(|was| was.changes_at == changes_at && was.market == *market)
            {
                continue;
            }
            // What was so when the gate began is no change.
            let is_new = was.is_none() && !known.is_filled && known.swept.contains(&id);
            if !is_new {
                *seq += 1;
            }
            if !is_same_answer && (was.is_some() || known.is_filled) {
                all.events.push(self.event(&id, answer, was.as_ref()));
            }
            let old = was.filter(|was| was.market != *market);
            all.left.extend(old.map(|was| LeftRow {
                user_id: was.user_id,
                market: was.market.unwrap_or_default(),
                seq: *seq,
            }));
            all.states.push(StateRow {
                user_id: id,
                market: market.clone(),
                may_work: answer.may_work(),
                reasons,
                changes_at,
                seq: if is_new { 0 } else { *seq },
            });
        }
        all
    }

    /// Somebody is no rider any more.
    fn left(&self, was: BeforeRow, seq: &mut i64) -> Changes {
        *seq += 1;
        let event = NewEvent::new("gate.changed", self.now, &json!({"left": true}));
        Changes {
            dropped: vec![[was.user_id.clone()]],
            events: vec![event.of(was.user_id.as_str())],
            left: vec![LeftRow {
                user_id: was.user_id,
                market: was.market.unwrap_or_default(),
                seq: *seq,
            }],
            states: Vec::new(),
        }
    }

    fn event(&self, id: &str, answer: &GateAnswer, was: Option<&BeforeRow>) -> NewEvent {
        // An answer that turned by itself did so then, however late that is noticed.
        let turned = was.and_then(|was| was.changes_at).map(Instant::from_millis);
        let at = turned.filter(|at| *at <= self.now).unwrap_or(self.now);
        let reasons: Vec<_> =
            answer.reasons.iter().map(|id| json!({"code": "terms", "term_id": id})).collect();
        let data = json!({
            "may_work": answer.may_work(),
            "was": was.map(|was| was.may_work),
            "reasons": reasons,
            "changes_at": answer.changes_at.map(|at| at.to_string()),
        });
        NewEvent::new("gate.changed", at, &data).of(id)
    }
}

impl Extend<Changes> for Changes {
    fn extend<T: IntoIterator<Item = Changes>>(&mut self, others: T) {
        for other in others {
            self.states.extend(other.states);
            self.left.extend(other.left);
            self.dropped.extend(other.dropped);
            self.events.extend(other.events);
        }
    }
}

fn latest(mut rows: Vec<DecisionRow>) -> HashMap<String, Accepted> {
    rows.sort_by_key(|row| (row.submission, row.position));
    let mut decided: HashMap<String, Accepted> = HashMap::new();
    for row in rows {
        decided.entry(row.user_id).or_default().insert(row.term_id, row.accepted);
    }
    decided
}

/// Another value for other rules: of the terms all that an answer depends on.
pub(super) fn terms_sha256(catalog: &Catalog) -> String {
    let mut hash = sha2::Sha256::new();
    for term in catalog.all() {
        let of_term = (
            (term.id, &term.kind, term.mandatory, term.display_order, term.material),
            (term.effective_from, term.grace_until, term.replaces, &term.market, term.instead_of),
            (catalog.cancelled_at(term.id), catalog.retired_at(term.id)),
        );
        hash.update(format!("{of_term:?}\n"));
    }
    hex::encode(hash.finalize())
}
