//! Applies excusals: many evaluations get the same reason `excused`.
//!
//! Each evaluation gets an ordinary transition to `EVALUATED`, made by the colleague who scheduled the
//! excusal, and judged when it is applied. A node that stops in between leaves the excusal to another
//! one: the results of a batch are stored as the answer of an idempotent request, in the transaction of
//! the transitions.

use std::collections::BTreeMap;

use musette_core::decisions::{Caller, Reason, Request, Requested, Status};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};
use musette_store::{
    Action, AuditEvent, Author, Change, ChangeOutcome, Excusal, ExcusalItem, ExcusalResult,
    NewReply, Store, StoreError, Written,
};

use super::RANDOM;
use crate::platform::random;

/// The code of the reason.
pub const EXCUSED: &str = "excused";
/// Evaluations of one transaction: other writers get their turn in between.
const BATCH: i64 = 500;

/// Returns the rights with which evaluations are excused: those of a dispatcher, so that no discussion
/// is answered together with others.
pub fn author(subject: &str) -> Author {
    let (subject, is_dispatcher, is_reviewer) = (subject.to_owned(), true, false);
    Author {
        caller: Caller::Person { subject: subject.clone(), is_dispatcher, is_reviewer },
        subject: Some(subject),
        key: None,
    }
}

/// Returns the transition that excuses the version of an evaluation.
pub fn request(version: i64, text: BTreeMap<String, String>) -> Request {
    Request {
        requested: Requested::To(Status::Evaluated),
        version: Some(version),
        figures: None,
        reasons: Some(vec![Reason { code: EXCUSED.into(), text }]),
        message: None,
        statement: None,
        system: None,
        message_id: random::uuid(),
    }
}

/// Applies all excusals whose time has come.
pub async fn apply_due(store: &Store, now: Instant) -> Result<(), StoreError> {
    for excusal in store.due_excusals(now).await? {
        if store.begin_excusal(&excusal.id).await? {
            apply(store, &excusal, now).await?;
        }
    }
    Ok(())
}

async fn apply(store: &Store, excusal: &Excusal, now: Instant) -> Result<(), StoreError> {
    let may_excuse = may_excuse(store, excusal).await?;
    loop {
        let items = store.waiting_excusal_items(&excusal.id, BATCH).await?;
        let Some(first) = items.first() else { break };
        let results = if may_excuse {
            let reply = NewReply {
                scope: format!("excusal:{}", excusal.id),
                key: first.position.to_string(),
                request_sha256: excusal.body_sha256.clone(),
                person: None,
            };
            excuse(store, excusal, &items, &reply, now).await?
        } else {
            let denied = |item: &ExcusalItem| (item.position, "permission_denied".to_owned());
            items.iter().map(denied).collect()
        };
        let results = results.into_iter().map(|(position, result)| {
            let item = items.iter().find(|item| item.position == position);
            let event = item.filter(|_| result == EXCUSED).map(|item| event(excusal, item));
            ExcusalResult { position, result, event }
        });
        store.record_excusal_results(&excusal.id, &results.collect::<Vec<_>>(), now).await?;
    }
    store.end_excusal(&excusal.id, now).await
}

/// Returns whether the colleague still has the rights of a dispatcher in the market.
async fn may_excuse(store: &Store, excusal: &Excusal) -> Result<bool, StoreError> {
    let Some(user_id) = &excusal.user_id else { return Ok(false) };
    let Some(user) = store.user(user_id).await? else { return Ok(false) };
    let market = excusal.market.as_deref().and_then(Market::from_stored);
    let covers = |grant: &RoleGrant| {
        [Role::Dispatcher, Role::Admin].contains(&grant.role)
            && grant.environment().is_none()
            && grant
                .market()
                .is_none_or(|outer| market.as_ref().is_some_and(|market| market.is_within(&outer)))
    };
    Ok(user.roles.iter().any(covers))
}

/// Makes the transitions of a batch once, and returns the result of each place.
async fn excuse(
    store: &Store,
    excusal: &Excusal,
    items: &[ExcusalItem],
    reply: &NewReply,
    now: Instant,
) -> Result<Vec<(i64, String)>, StoreError> {
    let corrupt =
        |error: serde_json::Error| StoreError::Corrupt(format!("excusal {}: {error}", excusal.id));
    let text: BTreeMap<String, String> = serde_json::from_str(&excusal.text).map_err(corrupt)?;
    let changes = items.iter().map(|item| Change {
        id: item.evaluation.clone(),
        author: author(&excusal.author),
        action: Action::Transition(request(item.version, text.clone())),
    });
    let changes: Vec<Change> = changes.collect();
    let places: Vec<i64> = items.iter().map(|item| item.position).collect();
    let results = move |outcomes: &[ChangeOutcome]| -> Vec<(i64, String)> {
        places.iter().copied().zip(outcomes.iter().map(result)).collect()
    };
    let render = |outcomes: &Vec<ChangeOutcome>| {
        Some((200, serde_json::to_string(&results(outcomes)).unwrap_or_default()))
    };
    match store.change_evaluations(&changes, Some(reply), &render, RANDOM, now).await? {
        Written::Done(done) => Ok(results(&done.outcomes)),
        Written::Replayed(reply) => serde_json::from_str(&reply.body).map_err(corrupt),
        Written::KeyReused => Err(StoreError::Corrupt(format!("answer of excusal {}", excusal.id))),
    }
}

fn result(outcome: &ChangeOutcome) -> String {
    match outcome {
        ChangeOutcome::Changed(_) => EXCUSED,
        ChangeOutcome::Refused(refusal, _) => refusal.code(),
        _ => "not_found",
    }
    .into()
}

fn event(excusal: &Excusal, item: &ExcusalItem) -> AuditEvent {
    AuditEvent {
        id: random::uuid(),
        event: "evaluation_excused",
        subject: Some(item.person.clone()),
        sid: None,
        detail: Some(item.evaluation.clone().into()),
        actor: Some(excusal.author.clone()),
    }
}
