//! `GET /people/{userId}/standing`: the terms that concern a person, and their decisions, now or at
//! an earlier time.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Decision, Decisions, Outcome, Term, TermId};
use musette_store::AsOf;
use serde::Serialize;

use super::coverage::AsOfQuery;
use crate::http::access::permission::{ReadPeople, Within};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::UserPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::markets;
use crate::node::app::App;
use crate::platform::closed_sets;

/// The maximum number of decisions that are read for one person.
const DECISIONS_MAX: i64 = 10_000;

/// The terms that concern a person, and their decisions.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonTerms {
    /// False if at least one mandatory term that the person has not accepted is past its grace period.
    may_work: bool,
    /// The terms in effect in the person's market, in order of display.
    terms: Vec<PersonTerm>,
}

/// The decision of a person on one term.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonTerm {
    /// The id of the term version.
    terms_and_conditions_id: i64,
    /// True if the person must accept the term and has not.
    outstanding: bool,
    /// The end of the grace period. Absent if there is none, or nothing is outstanding.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    grace_until: Option<String>,
    /// The decision that counts. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    /// The decision: accepted, declined or withdrawn. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::DecisionOutcome>)]
    decision: Option<&'static str>,
    /// The id of the version that the decision was made on: this version, or an older one whose
    /// decision a minor version inherits. Absent if there is no decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_on: Option<i64>,
    /// The time of the decision, by the clock of the person's device. Absent if there is no
    /// decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    consented_at: Option<String>,
}

/// Get the terms that concern a person, and their decisions.
///
/// With `as_of`, the result has the terms in effect and the decisions recorded at that time, in the
/// person's current market.
///
/// - 400 `invalid_parameter`: `as_of` is in the future.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}/standing", tag = "admin-people", operation_id = "person_standing",
    params(UserPath, AsOfQuery),
    responses((status = 200, body = PersonTerms), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_people"]))
)]
pub async fn standing(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPeople>,
    Path(user_id): Path<String>,
    Query(query): Query<AsOfQuery>,
) -> Result<Response, Problem> {
    let as_of = query.past(app.now())?;
    let person = app.store.person(&user_id).await?;
    // A caller with limited markets must not learn whether other people exist.
    if !reach.covers_code(person.as_ref().and_then(|person| person.market.as_deref())) {
        return Err(Problem::denied_to(&caller.subject));
    }
    let person = person.ok_or_else(|| Problem::absent("person with this id"))?;
    let place = match as_of {
        None => AsOf::NOW,
        Some(at) => app.store.as_of(at).await?,
    };
    let decisions = decisions_at(&app, &person.subject, place).await?;
    let catalog = Arc::clone(&app.live.load().catalog);
    let market = markets::of_person(&app.store, &catalog, &person.subject).await?;
    let at = as_of.unwrap_or_else(|| app.now());
    let concerned = catalog
        .all()
        .iter()
        .filter(|term| !term.is_notice() && catalog.is_in_effect(term, at))
        .filter(|term| catalog.is_asked(term, market.as_ref(), at));
    let mut terms: Vec<&Term> = concerned.collect();
    terms.sort_by_key(|term| (term.display_order, term.id));
    let open = |term: &Term| term.mandatory && !decisions.latest.has_accepted(&catalog, term);
    Ok(private(&PersonTerms {
        may_work: terms.iter().all(|term| !open(term) || term.is_in_grace(at)),
        terms: terms.iter().map(|term| of_term(&catalog, &decisions, term, at)).collect(),
    }))
}

/// The latest decision of a person on each term.
#[derive(Default)]
struct LatestDecisions {
    latest: Decisions,
    outcomes: HashMap<TermId, Outcome>,
}

async fn decisions_at(app: &App, subject: &str, as_of: AsOf) -> Result<LatestDecisions, Problem> {
    let rows = app.store.history(subject, as_of.before(), DECISIONS_MAX).await?;
    let mut decisions = LatestDecisions::default();
    for row in rows.into_iter().rev() {
        let consented_at = Instant::from_millis(row.consented_at);
        decisions.outcomes.insert(row.term_id, row.outcome());
        decisions.latest.record(row.term_id, Decision { accepted: row.accepted, consented_at });
    }
    Ok(decisions)
}

fn of_term(catalog: &Catalog, decisions: &LatestDecisions, term: &Term, at: Instant) -> PersonTerm {
    let effective = decisions.latest.effective_decision(catalog, term);
    let decided_on = effective.map(|effective| effective.inherited_from.unwrap_or(term.id));
    let has_accepted = effective.is_some_and(|effective| effective.decision.accepted);
    let outstanding = term.mandatory && !has_accepted;
    let grace = term.grace_until.filter(|_| outstanding && term.is_in_grace(at));
    PersonTerm {
        terms_and_conditions_id: term.id,
        outstanding,
        grace_until: grace.map(|until| until.to_string()),
        accepted: effective.map(|effective| effective.decision.accepted),
        decision: decided_on.and_then(|id| decisions.outcomes.get(&id)).map(|of| of.as_str()),
        decided_on,
        consented_at: effective.map(|effective| effective.decision.consented_at.to_string()),
    }
}
