//! Tells by e-mail who may approve what waits, and whose draft or change was sent back.
//!
//! Not in the request: a periodic task compares what waits with who was told. So nothing is lost with a node, and
//! what is decided meanwhile is not told.

use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role, RoleGrant};
use musette_store::{
    Approval, ApprovalNotice, ApprovalRule, MarketFilter, PROPOSAL_VOTES, Person, PersonFilter,
    Proposal, RULE_PROPOSALS, StoreError, TermDraft,
};

use super::{FLAGS, TERMS, hash_of};
use crate::app::App;
use crate::delivery::{Notice, NoticeKind};
use crate::http::admin::drafts::DraftBody;
use crate::http::admin::flags::{is_free, open_hash};
use crate::http::admin::proposals::{OPEN, StoredAct, may_decide_with, proposal_hash};
use crate::http::admin::terms::title;
use crate::http::permission::{DecideProposals, ManageFlags, ManageTerms, Reach, Right};
use crate::service_keys::with_makers;

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// A draft that is still being written is not for anybody else yet.
const AT_REST_MS: i64 = 5 * MINUTE_MS;
/// Between two messages to one person about one draft.
const BETWEEN_MS: i64 = HOUR_MS;
/// Messages to one person in 24 hours; more of them are not sent.
const A_DAY: i64 = 20;
/// A node has that long for what it leased.
const LEASE_MS: i64 = 5 * MINUTE_MS;
const AT_ONCE: i64 = 10;
/// After the last try, hours later, the message is given up.
const TRIES: i64 = 6;
const OBJECTS_MAX: i64 = 200;
const COLLEAGUES_MAX: i64 = 500;

/// A draft or change with those who are to be told of it.
struct Told {
    kind: NoticeKind,
    subject: &'static str,
    object: String,
    name: String,
    /// What was told before that is told again.
    since: i64,
    people: Vec<Person>,
}

/// What waits: a draft or a change.
struct Waiting {
    subject: &'static str,
    object: String,
    name: String,
    /// Approvals that the rules demand.
    needed: i64,
    sha256: String,
    /// Subjects of whoever wrote it.
    authors: Vec<String>,
    changed_at: i64,
    /// Nobody writes it at the moment.
    is_at_rest: bool,
}

pub async fn tell(app: Arc<App>) -> Result<(), StoreError> {
    if !app.delivery.sends() {
        return Ok(());
    }
    let rules = app.store.approval_rules().await?;
    let now = app.now();
    let all = everybody(&app, &rules, now).await?;
    for told in &all {
        add(&app, told, now).await?;
    }
    send(&app, &all).await
}

async fn everybody(
    app: &App,
    rules: &[ApprovalRule],
    now: Instant,
) -> Result<Vec<Told>, StoreError> {
    let demands = |kind: &str| rules.iter().any(|it| it.kind == kind && it.approvals > 0);
    let mut all = Vec::new();
    if demands(TERMS) {
        let catalog = Arc::clone(&app.live.load().catalog);
        let colleagues = colleagues(app, ManageTerms::ROLES).await?;
        for draft in app.store.drafts("", OBJECTS_MAX, &MarketFilter::default()).await? {
            // What cannot be published yet waits for nobody.
            let Ok(body) = DraftBody::stored(&draft) else { continue };
            if body.new_term(now).is_err() {
                continue;
            }
            let market = body.market_in(&catalog);
            let waiting = waiting_draft(app, draft, &body, now).await?;
            let may = |person: &Person| {
                reach(person, ManageTerms::ROLES).is_some_and(|it| it.covers(market.as_ref()))
            };
            all.extend(told(app, waiting, &colleagues, may).await?);
        }
    }
    if demands(FLAGS) {
        let colleagues = colleagues(app, ManageFlags::ROLES).await?;
        for id in app.store.open_flag_changes(OBJECTS_MAX).await? {
            let Some(change) = app.store.flag_change(&id).await? else { continue };
            let Ok(sha256) = open_hash(&change) else { continue };
            if is_free(app, change.clone()).await? {
                continue;
            }
            let environment = change.environment.clone();
            let waiting = Waiting {
                subject: FLAGS,
                object: change.id,
                name: format!("flags, {environment}"),
                needed: app.store.approvals_needed(FLAGS, &environment).await?,
                sha256,
                authors: with_makers(&app.store, change.subject.into_iter().collect()).await?,
                changed_at: change.created_at,
                is_at_rest: true,
            };
            let may = |person: &Person| {
                reach(person, ManageFlags::ROLES).is_some_and(|reach| {
                    reach.environments.as_ref().is_none_or(|all| all.contains(&environment))
                })
            };
            all.extend(told(app, waiting, &colleagues, may).await?);
        }
    }
    if !rules.is_empty() {
        all.extend(proposals(app).await?);
    }
    Ok(all)
}

async fn proposals(app: &App) -> Result<Vec<Told>, StoreError> {
    let open = app.store.proposals("g", OBJECTS_MAX, &MarketFilter::default(), OPEN).await?;
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let colleagues = colleagues(app, DecideProposals::ROLES).await?;
    let mut all = Vec::new();
    for proposal in open {
        let act = StoredAct::of(&proposal)?;
        let waiting = Waiting {
            subject: PROPOSAL_VOTES,
            name: name_of(app, &proposal, &act),
            needed: act.needed(app, &proposal).await?,
            sha256: proposal_hash(&proposal),
            authors: with_makers(&app.store, vec![proposal.subject.clone()]).await?,
            changed_at: proposal.created_at,
            is_at_rest: true,
            object: proposal.id.clone(),
        };
        let may =
            |person: &Person| may_decide_with(|roles: &[Role]| reach(person, roles), &proposal);
        all.extend(told(app, waiting, &colleagues, may).await?);
    }
    Ok(all)
}

/// A name in the manner of the others: the title of the term, or what it is about.
fn name_of(app: &App, proposal: &Proposal, act: &StoredAct) -> String {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = act.body.term_id.and_then(|id| catalog.get(id)).map(|term| title(term, &[]));
    let subject = if proposal.kind == RULE_PROPOSALS { "rules" } else { &proposal.scope };
    let act = act.body.act.replace('_', " ");
    term.map_or_else(|| format!("{act}: {subject}"), |title| format!("{act}: {title} ({subject})"))
}

/// How far these roles of a person reach.
fn reach(person: &Person, roles: &[Role]) -> Option<Reach> {
    let grants: Vec<_> =
        person.roles.iter().filter_map(|role| RoleGrant::from_stored(role)).collect();
    Reach::of_grants(&grants, roles)
}

async fn waiting_draft(
    app: &App,
    draft: TermDraft,
    body: &DraftBody,
    now: Instant,
) -> Result<Waiting, StoreError> {
    let title = body.variants.first().map_or("", |it| it.title.as_str());
    Ok(Waiting {
        subject: TERMS,
        name: format!("{title} ({})", body.kind),
        needed: app.store.approvals_needed(TERMS, &body.kind).await?,
        sha256: hash_of(&body.to_text()),
        authors: with_makers(&app.store, app.store.draft_editors(&draft.id).await?).await?,
        changed_at: draft.updated_at,
        is_at_rest: draft.updated_at <= now.millis().saturating_sub(AT_REST_MS),
        object: draft.id,
    })
}

/// Everybody with one of these roles, once.
async fn colleagues(app: &App, roles: &[Role]) -> Result<Vec<Person>, StoreError> {
    let mut all = Vec::new();
    for role in roles {
        let filter = PersonFilter { role: Some(*role), ..PersonFilter::default() };
        all.extend(app.store.find_people(&filter, COLLEAGUES_MAX).await?);
    }
    all.sort_unstable_by(|a: &Person, b| a.id.cmp(&b.id));
    all.dedup_by(|a, b| a.id == b.id);
    Ok(all)
}

async fn told(
    app: &App,
    of: Waiting,
    colleagues: &[Person],
    may: impl Fn(&Person) -> bool,
) -> Result<Option<Told>, StoreError> {
    let Waiting { subject, object, name, needed, sha256, authors, changed_at, is_at_rest } = of;
    if let Some(rejection) = app.store.rejection(subject, &object).await? {
        let people = writers(app, &authors, &rejection).await?;
        let since = rejection.at;
        return Ok(Some(Told { kind: NoticeKind::Returned, subject, object, name, since, people }));
    }
    let given = app.store.approvals(subject, &object, &sha256).await?;
    if !is_at_rest || i64::try_from(given.len()).unwrap_or(i64::MAX) >= needed {
        return Ok(None);
    }
    let subjects = colleagues.iter().map(|person| person.subject.clone()).collect();
    let independent = app.store.independent_of(&object, subjects).await?;
    let may_approve = |person: &&Person| {
        may(person)
            && independent.contains(&person.subject)
            && !given.iter().any(|it| it.subject == person.subject)
    };
    let people = colleagues.iter().filter(may_approve).cloned().collect();
    let kind = NoticeKind::Asked;
    Ok(Some(Told { kind, subject, object, name, since: changed_at, people }))
}

/// Those who wrote it, but for whoever sent it back.
async fn writers(
    app: &App,
    authors: &[String],
    rejection: &Approval,
) -> Result<Vec<Person>, StoreError> {
    let mut people = Vec::new();
    for subject in authors.iter().filter(|it| **it != rejection.subject) {
        let Some(id) = app.store.user_id_of_subject(subject).await? else { continue };
        people.extend(app.store.person(&id).await?);
    }
    Ok(people)
}

impl Told {
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

    /// Whether somebody who was told then is told again.
    fn is_news(&self, asked_at: i64, now: Instant) -> bool {
        let between = if self.kind == NoticeKind::Asked { BETWEEN_MS } else { 0 };
        asked_at < self.since && asked_at <= now.millis().saturating_sub(between)
    }
}

async fn add(app: &App, told: &Told, now: Instant) -> Result<(), StoreError> {
    let known = app.store.told_of(told.kind.name(), told.subject, &told.object).await?;
    for person in told.people.iter().filter(|it| it.email.is_some()) {
        let before = known.iter().find(|it| it.user_id == person.id).map(|it| it.asked_at);
        if before.is_none_or(|asked_at| told.is_news(asked_at, now)) {
            app.store.add_approval_notice(&told.notice(&person.id), before, now).await?;
        }
    }
    Ok(())
}

async fn send(app: &App, all: &[Told]) -> Result<(), StoreError> {
    let now = app.now();
    let leased = app.store.lease_approval_notices(now, later(now, LEASE_MS), AT_ONCE).await?;
    let base = match (leased.is_empty(), &app.settings.public_url) {
        (true, _) => return Ok(()),
        (false, Some(url)) => url.clone(),
        (false, None) => app.store.served_at().await?.unwrap_or_default(),
    };
    let url = format!("{}/console/approvals", base.trim_end_matches('/'));
    for notice in leased {
        let (next_at, sent_at) = match to_send(app, all, &notice, &url).await? {
            None => (None, None),
            Some(message) => match app.delivery.notify(&message).await {
                Ok(()) => (None, Some(app.now())),
                Err(error) => {
                    // The reason only, never whom it was for.
                    tracing::warn!(error = %error, "a notification about an approval was not delivered: it is retried later");
                    metrics::counter!("musette_approval_notices_undelivered_total").increment(1);
                    (again_at(app.now(), notice.tries), None)
                }
            },
        };
        app.store.settle_approval_notice(&notice, next_at, sent_at).await?;
    }
    Ok(())
}

/// None: it does not wait any more, or not for this person, or they have been told enough.
async fn to_send(
    app: &App,
    all: &[Told],
    notice: &ApprovalNotice,
    url: &str,
) -> Result<Option<Notice>, StoreError> {
    let Some(told) = all.iter().find(|it| it.is_about(notice)) else { return Ok(None) };
    let Some(person) = told.people.iter().find(|it| it.id == notice.user_id) else {
        return Ok(None);
    };
    let address = person.email.as_deref().and_then(Identifier::parse);
    let yesterday = later(app.now(), -24 * HOUR_MS);
    let sent = app.store.approval_notices_to(&person.id, yesterday).await?;
    let Some(address) = address.filter(|_| sent < A_DAY) else { return Ok(None) };
    Ok(Some(Notice {
        kind: told.kind,
        address,
        languages: person.locale.clone().unwrap_or_default(),
        about: told.name.clone(),
        url: url.to_owned(),
        // A receiver recognises a repeat after a crash.
        key: hash_of(&format!("{} {} {} {}", notice.purpose, notice.object, told.since, person.id)),
    }))
}

fn later(now: Instant, by_ms: i64) -> Instant {
    Instant::from_millis(now.millis().saturating_add(by_ms))
}

/// A minute after the first failure, then four times as long each time; none after the last.
fn again_at(now: Instant, tries: i64) -> Option<Instant> {
    let times = 4_i64.saturating_pow(u32::try_from(tries - 1).unwrap_or_default());
    (tries < TRIES).then(|| later(now, MINUTE_MS.saturating_mul(times)))
}
