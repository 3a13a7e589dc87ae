//! The events of restrictions. They have no text of a person.

use musette_core::decisions::restrictions::Restriction;
use musette_core::decisions::restrictions::judge::RestrictionRequest;
use musette_core::decisions::restrictions::table::RestrictionStatus;
use musette_core::instant::Instant;
use serde_json::{Value, json};

use crate::outbox::NewEvent;

/// Returns an event with the ID, kind, status, version and market of the restriction.
pub(super) fn event(
    name: &'static str,
    state: &Restriction,
    mut data: Value,
    at: Instant,
) -> NewEvent {
    data["restriction_id"] = state.id.as_str().into();
    data["kind"] = state.content.kind.as_str().into();
    data["status"] = state.status.as_str().into();
    data["version"] = state.version.into();
    data["market"] = state.market.clone().into();
    NewEvent::new(name, at, &data).for_user(state.user_id.clone())
}

/// Returns the events of a request. A proposal has none until it is imposed.
pub(super) fn of_request(
    request: &RestrictionRequest,
    before: &Restriction,
    next: &Restriction,
    at: Instant,
) -> Vec<NewEvent> {
    let mut events = Vec::new();
    match request {
        RestrictionRequest::Impose(_) => events.push(imposed(next, at)),
        RestrictionRequest::Dismiss(_) | RestrictionRequest::Lift { .. } => {}
        RestrictionRequest::RequestReview { .. } => {
            let due = next.open_review().map(|review| Instant::from_millis(review.answer_due));
            let data = json!({"answer_due": due.map(|due| due.to_string())});
            events.push(event("restriction.review_requested", next, data, at));
        }
        RestrictionRequest::Answer { outcome, .. } => {
            let data = json!({"outcome": outcome.as_str()});
            events.push(event("restriction.answered", next, data, at));
        }
    }
    let is_lifted = |state: &Restriction| state.status == RestrictionStatus::Lifted;
    if is_lifted(next) && !is_lifted(before) {
        events.push(event("restriction.lifted", next, json!({}), at));
    }
    events
}

/// Returns the event of a restriction that was imposed.
pub(super) fn imposed(next: &Restriction, at: Instant) -> NewEvent {
    let instant = |millis: Option<i64>| millis.map(|at| Instant::from_millis(at).to_string());
    let content = &next.content;
    let data =
        json!({"starts_at": instant(content.starts_at), "ends_at": instant(content.ends_at)});
    event("restriction.imposed", next, data, at)
}
