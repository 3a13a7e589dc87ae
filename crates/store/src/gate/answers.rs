//! Computes the answers of the gate about some people, and how they differ from the stored answers.

use std::collections::{BTreeMap, HashMap, HashSet};

use musette_core::decisions::restrictions::in_force::{Imposition, InForce};
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

/// The stored answer of the gate.
#[derive(sqlx_macros::FromRow)]
pub(super) struct BeforeRow {
    user_id: String,
    market: Option<String>,
    may_work: bool,
    reasons: String,
    restrictions: String,
    limitations: String,
    changes_at: Option<i64>,
}

/// The stored data of the people in one step.
pub(super) struct PeopleState {
    /// IDs of the people in this step.
    pub(super) ids: Vec<String>,
    /// IDs that only the sweep over all people selected.
    pub(super) swept: HashSet<String>,
    pub(super) riders: Vec<RiderRow>,
    pub(super) decisions: Vec<DecisionRow>,
    pub(super) before: Vec<BeforeRow>,
    /// IDs of people with their imposed restrictions.
    pub(super) impositions: Vec<(String, Imposition)>,
    /// Whether the first sweep is finished.
    pub(super) is_filled: bool,
}

/// The rows and events to write.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) states: Vec<StateRow>,
    pub(super) left: Vec<LeftRow>,
    /// People who are no longer riders.
    pub(super) dropped: Vec<[String; 1]>,
    pub(super) events: Vec<NewEvent>,
}

/// The terms from which answers are computed.
pub(super) struct Rules<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) types: &'a [TermType],
    pub(super) now: Instant,
}

/// The answer about one person, by their terms and restrictions.
struct Answer<'a> {
    terms: &'a GateAnswer,
    in_force: InForce,
}

impl Answer<'_> {
    fn may_work(&self) -> bool {
        self.terms.may_work() && self.in_force.blocking.is_empty()
    }

    fn changes_at(&self) -> Option<Instant> {
        [self.terms.changes_at, self.in_force.changes_at].into_iter().flatten().min()
    }

    fn row(&self, user_id: String, market: Option<String>) -> StateRow {
        StateRow {
            user_id,
            market,
            may_work: self.may_work(),
            reasons: json!(self.terms.reasons).to_string(),
            restrictions: json!(self.in_force.blocking).to_string(),
            limitations: json!(self.in_force.limitations).to_string(),
            changes_at: self.changes_at().map(Instant::millis),
            seq: 0,
        }
    }
}

/// The latest decisions by term.
type Accepted = BTreeMap<TermId, bool>;

impl Rules<'_> {
    /// Computes an answer. Most people have the same decisions, so few answers are computed.
    fn answer<'m>(
        &self,
        cache: &'m mut HashMap<(Option<String>, Accepted), GateAnswer>,
        market: Option<&String>,
        accepted: Accepted,
    ) -> &'m GateAnswer {
        cache.entry((market.cloned(), accepted)).or_insert_with_key(|(market, accepted)| {
            let mut decisions = Decisions::default();
            for (&term, &accepted) in accepted {
                decisions.record(term, Decision { accepted, consented_at: self.now });
            }
            let market = market.as_deref().and_then(Market::from_stored);
            GateAnswer::of(self.catalog, &decisions, self.types, market.as_ref(), self.now)
        })
    }

    /// Finds the changed answers. Changes are numbered after `seq`, which is set to the last
    /// number.
    pub(super) fn changes(&self, state: PeopleState, seq: &mut i64) -> Changes {
        let mut all = Changes::default();
        let mut cache = HashMap::new();
        let mut decisions = latest(state.decisions);
        let mut impositions: HashMap<String, Vec<Imposition>> = HashMap::new();
        for (id, imposition) in state.impositions {
            impositions.entry(id).or_default().push(imposition);
        }
        let riders: HashMap<String, Option<String>> =
            state.riders.into_iter().map(|rider| (rider.user_id, rider.market)).collect();
        let mut previous_answers: HashMap<String, BeforeRow> =
            state.before.into_iter().map(|answer| (answer.user_id.clone(), answer)).collect();
        for id in state.ids {
            let previous = previous_answers.remove(&id);
            let Some(market) = riders.get(&id) else {
                all.extend(previous.map(|previous| self.remove_rider(previous, seq)));
                continue;
            };
            let accepted = decisions.remove(&id).unwrap_or_default();
            let answer = Answer {
                terms: self.answer(&mut cache, market.as_ref(), accepted),
                in_force: InForce::of(impositions.remove(&id).unwrap_or_default(), self.now),
            };
            let new = answer.row(id, market.clone());
            let is_same_answer = previous.as_ref().is_some_and(|previous| {
                previous.reasons == new.reasons && previous.restrictions == new.restrictions
            });
            if is_same_answer
                && previous.as_ref().is_some_and(|previous| {
                    previous.changes_at == new.changes_at
                        && previous.market == *market
                        && previous.limitations == new.limitations
                })
            {
                continue;
            }
            // The state at the time when the gate was enabled is not a change.
            let is_new =
                previous.is_none() && !state.is_filled && state.swept.contains(&new.user_id);
            if !is_new {
                *seq += 1;
            }
            if !is_same_answer && (previous.is_some() || state.is_filled) {
                all.events.push(self.event(&new.user_id, &answer, previous.as_ref()));
            }
            let old = previous.filter(|previous| previous.market != *market);
            all.left.extend(old.map(|previous| LeftRow {
                user_id: previous.user_id,
                market: previous.market.unwrap_or_default(),
                seq: *seq,
            }));
            all.states.push(StateRow { seq: if is_new { 0 } else { *seq }, ..new });
        }
        all
    }

    /// Removes a person who is no longer a rider.
    fn remove_rider(&self, previous: BeforeRow, seq: &mut i64) -> Changes {
        *seq += 1;
        let event = NewEvent::new("gate.changed", self.now, &json!({"left": true}));
        Changes {
            dropped: vec![[previous.user_id.clone()]],
            events: vec![event.for_user(previous.user_id.as_str())],
            left: vec![LeftRow {
                user_id: previous.user_id,
                market: previous.market.unwrap_or_default(),
                seq: *seq,
            }],
            states: Vec::new(),
        }
    }

    fn event(&self, id: &str, answer: &Answer<'_>, previous: Option<&BeforeRow>) -> NewEvent {
        // An answer that changed at its `changes_at` gets that time, even if this runs later.
        let changed_at =
            previous.and_then(|previous| previous.changes_at).map(Instant::from_millis);
        let at = changed_at.filter(|at| *at <= self.now).unwrap_or(self.now);
        let terms = answer.terms.reasons.iter().map(|id| json!({"code": "terms", "term_id": id}));
        let restrictions = answer.in_force.blocking.iter();
        let restrictions =
            restrictions.map(|id| json!({"code": "restriction", "restriction_id": id}));
        let data = json!({
            "may_work": answer.may_work(),
            "was": previous.map(|previous| previous.may_work),
            "reasons": terms.chain(restrictions).collect::<Vec<_>>(),
            "changes_at": answer.changes_at().map(|at| at.to_string()),
        });
        NewEvent::new("gate.changed", at, &data).for_user(id)
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

/// Returns a hash of everything in the terms that an answer depends on, so that it differs for
/// different rules.
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
