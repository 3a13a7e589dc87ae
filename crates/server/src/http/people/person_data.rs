//! `GET /people/{userId}/data` and `GET /me/data`: everything that is stored about one person, for
//! that person.

mod body;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::log::entry::{Consent, Entry};
use musette_core::session::RateLimit;
use musette_core::terms::{Outcome, TermId};
use musette_store::{AuditFilter, Person, ProvenEntry, StoreError, SubmissionEntry};

pub use body::PersonData;
use body::{PersonClaim, PersonDecision, PersonExperiments, PersonView, readable};

use super::PersonBody;
use super::sessions::PersonSession;
use crate::experiments::units::UnitKey;
use crate::http::access::audit::{audit_action, event_of};
use crate::http::access::audit_log::AuditEntryBody;
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ManagePeople, MayOf};
use crate::http::evidence::receipts::Receipt;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::UserPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// The maximum number of submissions. A person usually has dozens; `is_complete` tells whether
/// there were more.
const SUBMISSIONS_MAX: usize = 10_000;
const AUDIT_MAX: usize = 10_000;
/// The limit of copies. A copy reads every table and adds a row to the audit.
const OWN_COPIES: [RateLimit; 1] = [RateLimit { max: 10, within: Duration::from_secs(60 * 60) }];

/// Export all data of a person.
///
/// A copy for the person (GDPR article 15). The audit records it as `person_data_read`.
///
/// - 403 `permission_denied`: the person is an admin, and the caller is not.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}/data", tag = "admin-people",
    params(UserPath),
    responses((status = 200, body = PersonData), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_people"]))
)]
pub async fn person_data(
    State(app): State<Arc<App>>,
    MayOf { caller: operator, person, .. }: MayOf<ManagePeople>,
) -> Result<Response, Problem> {
    response(&app, &operator.subject, person).await
}

/// Export all data of the session's user.
///
/// A copy for the person (GDPR article 15). The audit records it as `person_data_read`.
///
/// - 429 `rate_limited`: more than 10 copies within an hour.
#[utoipa::path(
    get, path = "/api/session/v1/me/data", tag = "session", operation_id = "own_data",
    responses((status = 200, body = PersonData), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_data(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Problem> {
    let person = app.store.person(&caller.user_id).await?.ok_or_else(Problem::unauthenticated)?;
    if app.settings.throttles {
        let key = format!("copies:{}", caller.subject);
        if !app.store.take_allowance(&key, &OWN_COPIES, app.now()).await? {
            return Err(Problem::rate_limited(OWN_COPIES[0].within.as_secs()));
        }
    }
    response(&app, &caller.subject, person).await
}

async fn response(app: &App, reader: &str, person: Person) -> Result<Response, Problem> {
    let subject = person.subject.clone();
    let data = gather(app, person).await?;
    audit_action(app, reader, event_of("person_data_read", subject)).await;
    let mut response = private(&data);
    let save = HeaderValue::from_static("attachment; filename=\"person.json\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, save);
    Ok(response)
}

async fn gather(app: &App, person: Person) -> Result<PersonData, Problem> {
    // Data that this node has not written to the database yet is stored data, too.
    app.sessions.flush(&app.store).await?;
    app.views.flush(&app.store, &app.live.load().catalog).await?;
    let subject = person.subject.clone();
    let end = Instant::from_millis(i64::MAX);
    let mut submissions = app.store.newest_submissions(&subject, rows(SUBMISSIONS_MAX)).await?;
    let mut audit = audit_of(app, &subject).await?;
    let is_complete = submissions.len() <= SUBMISSIONS_MAX && audit.len() <= AUDIT_MAX;
    submissions.truncate(SUBMISSIONS_MAX);
    audit.truncate(AUDIT_MAX);
    let (decisions, receipts) = decisions(app, &subject, submissions).await?;
    let claims = app.store.claims_until(&subject, end).await?;
    let claims = claims.into_iter().map(|claim| {
        let receipt_id = app.receipt_key.id(claim.seq, &claim.entry_id);
        PersonClaim { receipt_id, log_index: claim.index(), entry: claim.entry.into() }
    });
    let claims = claims.collect();
    let sessions = app.store.live_sessions(&person.id, app.now()).await?;
    let views = app.store.views_of(&subject).await?;
    let units = UnitKey::load(&app.store).await?.of_user(&person.id);
    let mut records = app.store.rows_of_person(&person.id, &subject).await?;
    records.values_mut().flatten().for_each(readable);
    let evaluations = app.store.evaluation_receipts_of(&subject).await?;
    let restrictions = app.store.restriction_receipts_of(&subject).await?;
    let openings = app.store.opening_receipts_of(&subject, end).await?;
    let messages = app.store.message_proofs_of(&subject).await?;
    Ok(PersonData {
        restriction_receipts: restrictions
            .into_iter()
            .map(|stored| stored.receipt.into())
            .collect(),
        message_proofs: messages.into_iter().map(Into::into).collect(),
        notice_openings: openings.into_iter().map(Into::into).collect(),
        evaluation_receipts: evaluations.into_iter().map(|stored| stored.receipt.into()).collect(),
        made_at: app.now().to_string(),
        is_complete,
        sessions: sessions.into_iter().map(PersonSession::from).collect(),
        terms_shown: views.into_iter().map(PersonView::from).collect(),
        decisions,
        receipts,
        claims,
        experiments: PersonExperiments::from(app.store.participation(&units).await?),
        audit,
        records,
        person: PersonBody::from(person),
    })
}

/// Returns the number of rows to query: one more than the maximum, to detect whether there are
/// more.
fn rows(max: usize) -> i64 {
    i64::try_from(max + 1).unwrap_or(i64::MAX)
}

/// Returns the decisions, newest first, and their receipts.
async fn decisions(
    app: &App,
    subject: &str,
    submissions: Vec<SubmissionEntry>,
) -> Result<(Vec<PersonDecision>, Vec<Receipt>), Problem> {
    let apps = app.store.apps(subject).await?;
    let catalog = Arc::clone(&app.live.load().catalog);
    let (mut decisions, mut receipts) = (Vec::new(), Vec::new());
    let mut accepted: HashSet<TermId> = HashSet::new();
    // The oldest first, because a refusal after an acceptance is a withdrawal.
    for submission in submissions.into_iter().rev() {
        let id = app.receipt_key.id(submission.seq, &submission.entry_id);
        let Ok(Entry::Submission(entry)) = Entry::decode(&submission.entry) else {
            return Err(Problem::internal("the log entry of a submission is not a submission"));
        };
        let stored = app.store.cosigned_receipt(submission.seq).await?;
        let evidence: Option<ProvenEntry> = stored.and_then(|stored| stored.evidence);
        receipts.extend(evidence.map(|evidence| Receipt::new(id.clone(), evidence)));
        let app = apps.get(&submission.seq);
        let decision = |consent: &Consent| {
            let term = consent.terms_and_conditions_id;
            let before = match catalog.get(term) {
                Some(term) => catalog.lineage(term).any(|older| accepted.contains(&older.id)),
                None => accepted.contains(&term),
            };
            let outcome = Outcome::of(consent.accepted, before);
            PersonDecision::new(consent, &entry, &id, app, &catalog, outcome)
        };
        decisions.push(entry.consents.iter().map(decision).collect::<Vec<_>>());
        let agreed = entry.consents.iter().filter(|consent| consent.accepted);
        accepted.extend(agreed.map(|consent| consent.terms_and_conditions_id));
    }
    receipts.reverse();
    Ok((decisions.into_iter().rev().flatten().collect(), receipts))
}

/// Returns the audit entries that affect the person or that they caused, newest first. The ids and
/// names of other people are removed.
async fn audit_of(app: &App, subject: &str) -> Result<Vec<AuditEntryBody>, StoreError> {
    let filter = AuditFilter {
        event: None,
        subject: Some(subject),
        since: i64::MIN,
        until: i64::MAX,
        after: None,
        limit: rows(AUDIT_MAX),
    };
    let entries = app.store.audit_page(&filter).await?;
    let own = |entry| AuditEntryBody::from(entry).naming_only(subject);
    Ok(entries.into_iter().map(own).collect())
}
