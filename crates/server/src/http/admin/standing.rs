//! `GET /people/{userId}/standing`: what somebody is or was asked for, and what they had said to it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Decision, Decisions, Term};
use musette_store::AsOf;
use serde::Serialize;

use super::coverage::AsOfQuery;
use crate::app::App;
use crate::http::caching::private;
use crate::http::parameters::UserPath;
use crate::http::permission::{ReadPeople, Within};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;
use crate::markets;

/// Limit of latest decisions that are read for one person.
const DECISIONS_MAX: i64 = 10_000;

/// What a person is asked for, and what they said to it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonStanding {
    /// False if at least one mandatory term that the person has not accepted is past its grace period.
    may_work: bool,
    /// The terms in effect in the person's market, in order of display.
    terms: Vec<TermStanding>,
}

/// What a person said to one term.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct TermStanding {
    /// Id of the exact version.
    terms_and_conditions_id: i64,
    /// The person has to accept it, and has not.
    outstanding: bool,
    /// Until then it stops nobody from working. Absent: at once, or nothing is outstanding.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    grace_until: Option<String>,
    /// The decision that counts. Absent: the person has decided nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    /// The version that was decided on: this one, or an older one whose decision a minor version inherits.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_on: Option<i64>,
    /// When it was decided, by the device's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    consented_at: Option<String>,
}

/// Get what a person is asked for, and what they said to it.
///
/// With `as_of`, by the terms in effect and the decisions recorded at that time, in the market where the person works
/// today. 400 `invalid_parameter`: `as_of` lies ahead.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}/standing", tag = "admin-people", operation_id = "person_standing",
    params(UserPath, AsOfQuery),
    responses((status = 200, body = PersonStanding), (status = "4XX", body = ProblemBody)),
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
    // Whoever may not see everybody is not told either whether there is such a person.
    if !reach.covers_code(person.as_ref().and_then(|it| it.market.as_deref())) {
        return Err(Problem::denied_to(&caller.subject));
    }
    let person = person.ok_or_else(|| Problem::absent("person of this id"))?;
    let decisions = match as_of {
        None => app.store.decisions(&person.subject).await?,
        Some(at) => decisions_at(&app, &person.subject, app.store.as_of(at).await?).await?,
    };
    let catalog = Arc::clone(&app.live.load().catalog);
    let market = markets::of_person(&app.store, &catalog, &person.subject).await?;
    let at = as_of.unwrap_or_else(|| app.now());
    let asked = catalog
        .all()
        .iter()
        .filter(|term| catalog.is_in_effect(term, at))
        .filter(|term| catalog.is_asked(term, market.as_ref(), at));
    let mut terms: Vec<&Term> = asked.collect();
    terms.sort_by_key(|term| (term.display_order, term.id));
    let open = |term: &Term| term.mandatory && !decisions.has_accepted(&catalog, term);
    Ok(private(&PersonStanding {
        may_work: terms.iter().all(|term| !open(term) || term.is_in_grace(at)),
        terms: terms.iter().map(|term| of_term(&catalog, &decisions, term, at)).collect(),
    }))
}

async fn decisions_at(app: &App, subject: &str, as_of: AsOf) -> Result<Decisions, Problem> {
    let made = app.store.history(subject, as_of.before(), DECISIONS_MAX).await?;
    let mut decisions = Decisions::default();
    for it in made.into_iter().rev() {
        let consented_at = Instant::from_millis(it.consented_at);
        decisions.record(it.term_id, Decision { accepted: it.accepted, consented_at });
    }
    Ok(decisions)
}

fn of_term(catalog: &Catalog, decisions: &Decisions, term: &Term, at: Instant) -> TermStanding {
    let counts = decisions.effective_decision(catalog, term);
    let outstanding = term.mandatory && !counts.is_some_and(|it| it.decision.accepted);
    let grace = term.grace_until.filter(|_| outstanding && term.is_in_grace(at));
    TermStanding {
        terms_and_conditions_id: term.id,
        outstanding,
        grace_until: grace.map(|until| until.to_string()),
        accepted: counts.map(|it| it.decision.accepted),
        decided_on: counts.map(|it| it.inherited_from.unwrap_or(term.id)),
        consented_at: counts.map(|it| it.decision.consented_at.to_string()),
    }
}
