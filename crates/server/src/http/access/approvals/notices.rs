//! Sends e-mails to the people who may approve a pending change, to the authors of a rejected one,
//! and to representatives about a publication.
//!
//! A periodic task does this instead of the request. It compares the pending changes with the
//! notices that were sent. So no notice is lost if a node stops, and a change that is decided in
//! the meantime causes none.

use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role};
use musette_store::{
    Approval, ApprovalNotice, ApprovalRule, MarketFilter, PROPOSAL_VOTES, Person, Proposal,
    RULE_PROPOSALS, StoreError, TermDraft,
};

use super::notification::{Notification, reach, reviewers};
use super::representatives::publications;
use super::{FLAGS, TERMS, hash_of};
use crate::access::service_keys::with_makers;
use crate::http::access::permission::{DecideProposals, ManageFlags, ManageTerms, Right};
use crate::http::access::proposals::{OPEN, StoredAct, may_decide_with, proposal_hash};
use crate::http::flags::console::{is_free, open_hash};
use crate::http::terms::console::title;
use crate::http::terms::drafts::DraftBody;
use crate::node::app::App;
use crate::sessions::delivery::{Notice, NotificationKind};

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// A draft that was edited more recently is still being written, so no reviewer is notified.
const IDLE_MS: i64 = 5 * MINUTE_MS;
/// The minimum time between two messages to one person about one draft.
const REPEAT_AFTER_MS: i64 = HOUR_MS;
/// The maximum number of messages to one person in 24 hours. Further ones are dropped.
const MESSAGES_A_DAY_MAX: i64 = 20;
/// The time for which a node leases the notices that it sends.
const LEASE_MS: i64 = 5 * MINUTE_MS;
const AT_ONCE: i64 = 10;
/// The number of attempts. After the last one, hours later, the message is dropped.
const ATTEMPTS_MAX: i64 = 6;
const OBJECTS_MAX: i64 = 200;

/// The page of the console.
const APPROVALS_PAGE: &str = "/approvals";

/// A pending draft or change.
struct Pending {
    subject: &'static str,
    object: String,
    name: String,
    /// The number of approvals that the rules require.
    needed: i64,
    sha256: String,
    /// The subjects of its authors.
    authors: Vec<String>,
    changed_at: i64,
    /// True if it is not being edited at the moment.
    is_idle: bool,
}

/// Queues notices for pending and rejected changes, and sends the queued ones.
pub async fn send_notices(app: Arc<App>) -> Result<(), StoreError> {
    if !app.delivery.sends() {
        return Ok(());
    }
    let rules = app.store.approval_rules().await?;
    let now = app.now();
    let notifications = notifications(&app, &rules, now).await?;
    for notification in &notifications {
        queue(&app, notification, now).await?;
    }
    send(&app, &notifications).await
}

async fn notifications(
    app: &App,
    rules: &[ApprovalRule],
    now: Instant,
) -> Result<Vec<Notification>, StoreError> {
    let demands = |kind: &str| rules.iter().any(|rule| rule.kind == kind && rule.approvals > 0);
    let mut all = Vec::new();
    if demands(TERMS) {
        let catalog = Arc::clone(&app.live.load().catalog);
        let reviewers = reviewers(app, ManageTerms::ROLES).await?;
        for draft in app.store.drafts("", OBJECTS_MAX, &MarketFilter::default()).await? {
            // A draft that cannot be published yet needs no approval yet.
            let Ok(body) = DraftBody::stored(&draft) else { continue };
            if body.new_term(now).is_err() {
                continue;
            }
            let market = body.market_in(&catalog);
            let pending = pending_draft(app, draft, &body, now).await?;
            let may = |person: &Person| {
                reach(person, ManageTerms::ROLES).is_some_and(|reach| reach.covers(market.as_ref()))
            };
            all.extend(notification(app, pending, &reviewers, may).await?);
        }
    }
    if demands(FLAGS) {
        let reviewers = reviewers(app, ManageFlags::ROLES).await?;
        for id in app.store.open_flag_changes(OBJECTS_MAX).await? {
            let Some(change) = app.store.flag_change(&id).await? else { continue };
            let Ok(sha256) = open_hash(&change) else { continue };
            if is_free(app, change.clone()).await? {
                continue;
            }
            let environment = change.environment.clone();
            let pending = Pending {
                subject: FLAGS,
                object: change.id,
                name: format!("flags, {environment}"),
                needed: app.store.approvals_needed(FLAGS, &environment).await?,
                sha256,
                authors: with_makers(&app.store, change.subject.into_iter().collect()).await?,
                changed_at: change.created_at,
                is_idle: true,
            };
            let may = |person: &Person| {
                reach(person, ManageFlags::ROLES).is_some_and(|reach| {
                    reach.environments.as_ref().is_none_or(|all| all.contains(&environment))
                })
            };
            all.extend(notification(app, pending, &reviewers, may).await?);
        }
    }
    if !rules.is_empty() {
        all.extend(proposals(app).await?);
    }
    all.extend(publications(app, now).await?);
    Ok(all)
}

async fn proposals(app: &App) -> Result<Vec<Notification>, StoreError> {
    let open = app.store.proposals("g", OBJECTS_MAX, &MarketFilter::default(), OPEN).await?;
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let reviewers = reviewers(app, DecideProposals::ROLES).await?;
    let mut all = Vec::new();
    for proposal in open {
        let act = StoredAct::of(&proposal)?;
        let pending = Pending {
            subject: PROPOSAL_VOTES,
            name: name_of(app, &proposal, &act),
            needed: act.needed(app, &proposal).await?,
            sha256: proposal_hash(&proposal),
            authors: with_makers(&app.store, vec![proposal.subject.clone()]).await?,
            changed_at: proposal.created_at,
            is_idle: true,
            object: proposal.id.clone(),
        };
        let may =
            |person: &Person| may_decide_with(|roles: &[Role]| reach(person, roles), &proposal);
        all.extend(notification(app, pending, &reviewers, may).await?);
    }
    Ok(all)
}

/// Returns a name in the style of the other notices: the title of the term, or the subject.
fn name_of(app: &App, proposal: &Proposal, act: &StoredAct) -> String {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = act.body.term_id.and_then(|id| catalog.get(id)).map(|term| title(term, &[]));
    let subject = if proposal.kind == RULE_PROPOSALS { "rules" } else { &proposal.scope };
    let act = act.body.act.replace('_', " ");
    term.map_or_else(|| format!("{act}: {subject}"), |title| format!("{act}: {title} ({subject})"))
}

async fn pending_draft(
    app: &App,
    draft: TermDraft,
    body: &DraftBody,
    now: Instant,
) -> Result<Pending, StoreError> {
    let title = body.variants.first().map_or("", |variant| variant.title.as_str());
    Ok(Pending {
        subject: TERMS,
        name: format!("{title} ({})", body.kind),
        needed: app.store.approvals_needed(TERMS, &body.kind).await?,
        sha256: hash_of(&body.to_text()),
        authors: with_makers(&app.store, app.store.draft_editors(&draft.id).await?).await?,
        changed_at: draft.updated_at,
        is_idle: draft.updated_at <= now.millis().saturating_sub(IDLE_MS),
        object: draft.id,
    })
}

async fn notification(
    app: &App,
    pending: Pending,
    reviewers: &[Person],
    may: impl Fn(&Person) -> bool,
) -> Result<Option<Notification>, StoreError> {
    let Pending { subject, object, name, needed, sha256, authors, changed_at, is_idle } = pending;
    if let Some(rejection) = app.store.rejection(subject, &object).await? {
        let people = writers(app, &authors, &rejection).await?;
        let since = rejection.at;
        let kind = NotificationKind::Returned;
        let page = APPROVALS_PAGE.into();
        return Ok(Some(Notification { kind, subject, object, name, since, people, page }));
    }
    let approvals = app.store.approvals(subject, &object, &sha256).await?;
    if !is_idle || i64::try_from(approvals.len()).unwrap_or(i64::MAX) >= needed {
        return Ok(None);
    }
    let subjects = reviewers.iter().map(|person| person.subject.clone()).collect();
    let independent = app.store.independent_of(&object, subjects).await?;
    let may_approve = |person: &&Person| {
        may(person)
            && independent.contains(&person.subject)
            && !approvals.iter().any(|approval| approval.subject == person.subject)
    };
    let people = reviewers.iter().filter(may_approve).cloned().collect();
    let kind = NotificationKind::Asked;
    let page = APPROVALS_PAGE.into();
    Ok(Some(Notification { kind, subject, object, name, since: changed_at, people, page }))
}

/// Returns the authors, except the reviewer who rejected the change.
async fn writers(
    app: &App,
    authors: &[String],
    rejection: &Approval,
) -> Result<Vec<Person>, StoreError> {
    let mut people = Vec::new();
    for subject in authors.iter().filter(|author| **author != rejection.subject) {
        let Some(id) = app.store.user_id_of_subject(subject).await? else { continue };
        people.extend(app.store.person(&id).await?);
    }
    Ok(people)
}

impl Notification {
    fn notice(&self, user_id: &str) -> ApprovalNotice {
        ApprovalNotice {
            purpose: self.kind.name().to_owned(),
            kind: self.subject.to_owned(),
            object: self.object.clone(),
            user_id: user_id.to_owned(),
            tries: 0,
        }
    }

    fn is_about(&self, notice: &ApprovalNotice) -> bool {
        (self.kind.name(), self.subject, &self.object)
            == (&*notice.purpose, &*notice.kind, &notice.object)
    }

    /// Returns whether a person who was notified at `asked_at` is notified again.
    fn is_due_again(&self, asked_at: i64, now: Instant) -> bool {
        let interval = if self.kind == NotificationKind::Asked { REPEAT_AFTER_MS } else { 0 };
        asked_at < self.since && asked_at <= now.millis().saturating_sub(interval)
    }
}

async fn queue(app: &App, notification: &Notification, now: Instant) -> Result<(), StoreError> {
    let Notification { kind, subject, object, .. } = notification;
    let earlier = app.store.notified_people(kind.name(), subject, object).await?;
    for person in notification.people.iter().filter(|person| person.email.is_some()) {
        let before = earlier.iter().find(|notice| notice.user_id == person.id);
        let before = before.map(|notice| notice.asked_at);
        if before.is_none_or(|asked_at| notification.is_due_again(asked_at, now)) {
            app.store.add_approval_notice(&notification.notice(&person.id), before, now).await?;
        }
    }
    Ok(())
}

async fn send(app: &App, all: &[Notification]) -> Result<(), StoreError> {
    let now = app.now();
    let leased = app.store.lease_approval_notices(now, later(now, LEASE_MS), AT_ONCE).await?;
    let base = match (leased.is_empty(), &app.settings.public_url) {
        (true, _) => return Ok(()),
        (false, Some(url)) => url.clone(),
        (false, None) => app.store.served_at().await?.unwrap_or_default(),
    };
    let console = format!("{}/console", base.trim_end_matches('/'));
    for notice in leased {
        let (next_at, sent_at) = match message(app, all, &notice, &console).await? {
            None => (None, None),
            Some(message) => match app.delivery.notify(&message).await {
                Ok(()) => (None, Some(app.now())),
                Err(error) => {
                    // The log has only the reason, not the recipient.
                    tracing::warn!(error = %error, "a notification about an approval or a publication was not delivered: it is retried later");
                    metrics::counter!("musette_approval_notices_undelivered_total").increment(1);
                    (retry_at(app.now(), notice.tries), None)
                }
            },
        };
        app.store.settle_approval_notice(&notice, next_at, sent_at).await?;
    }
    Ok(())
}

/// Returns the message. None if the change is no longer pending, does not concern this person, or
/// the person has received the maximum number of messages.
async fn message(
    app: &App,
    all: &[Notification],
    notice: &ApprovalNotice,
    console: &str,
) -> Result<Option<Notice>, StoreError> {
    let Some(notification) = all.iter().find(|candidate| candidate.is_about(notice)) else {
        return Ok(None);
    };
    let mut people = notification.people.iter();
    let Some(person) = people.find(|person| person.id == notice.user_id) else {
        return Ok(None);
    };
    let address = person.email.as_deref().and_then(Identifier::parse);
    let yesterday = later(app.now(), -24 * HOUR_MS);
    let sent_count = app.store.approval_notices_to(&person.id, yesterday).await?;
    let Some(address) = address.filter(|_| sent_count < MESSAGES_A_DAY_MAX) else {
        return Ok(None);
    };
    Ok(Some(Notice {
        kind: notification.kind,
        address,
        languages: person.locale.clone().unwrap_or_default(),
        about: notification.name.clone(),
        url: format!("{console}{}", notification.page),
        // The recipient's system detects a duplicate after a crash by this key.
        key: hash_of(&format!(
            "{} {} {} {}",
            notice.purpose, notice.object, notification.since, person.id
        )),
    }))
}

fn later(now: Instant, by_ms: i64) -> Instant {
    Instant::from_millis(now.millis().saturating_add(by_ms))
}

/// Returns the time of the next attempt: one minute after the first failure, then four times as
/// long each time. None after the last attempt.
fn retry_at(now: Instant, tries: i64) -> Option<Instant> {
    let times = 4_i64.saturating_pow(u32::try_from(tries - 1).unwrap_or_default());
    (tries < ATTEMPTS_MAX).then(|| later(now, MINUTE_MS.saturating_mul(times)))
}
