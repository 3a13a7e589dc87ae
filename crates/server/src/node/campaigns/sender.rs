//! Prepares the messages of running campaigns, sends them, and closes their batches.
//!
//! All nodes send. A message is leased for longer than an attempt may take, so that after a crash
//! another node repeats it with the same ID within 30 seconds. While no campaign has something to
//! do, nothing is queried.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use metrics::counter;
use musette_core::campaigns::{Attempt, CampaignAction, CampaignStatus, Channel};
use musette_core::instant::Instant;
use musette_core::terms::TermId;
use musette_store::{
    Audience, Campaign, ChangeNumbers, LeaseLimits, LeasedMessage, Preparing, SettledMessage,
    StoreError,
};
use serde_json::json as object;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::campaigns::compose::{document_link, link};
use crate::campaigns::{audience, hours};
use crate::decisions::RANDOM;
use crate::node::app::App;
use crate::node::live::Live;
use crate::notices::push::{self, PushMessage, PushOutcome};
use crate::sessions::delivery::{CampaignMail, CampaignPost};

/// The maximum number of messages that one node sends at the same time.
const AT_ONCE_MAX: usize = 64;
/// An attempt ends within this time.
const ATTEMPT: Duration = Duration::from_secs(15);
const LEASE: Duration = Duration::from_secs(20);
/// The interval between two leases while messages are due.
const TICK: Duration = Duration::from_millis(100);
/// The time for which messages are prepared before others are sent.
const PREPARED_FOR: Duration = Duration::from_millis(100);
const LOOK: Duration = Duration::from_secs(1);

/// The result of an attempt, with the campaign of the message.
struct Sent {
    campaign: String,
    term: TermId,
    settled: SettledMessage,
}

/// What a campaign needs next.
#[derive(Default)]
struct Next {
    is_busy: bool,
    at: Option<Instant>,
}

impl Next {
    fn not_after(&mut self, at: Instant) {
        self.at = Some(self.at.map_or(at, |next| next.min(at)));
    }
}

/// The messages that this node is sending.
#[derive(Default)]
struct Sender {
    sending: JoinSet<Sent>,
    /// Results that the store has not recorded yet.
    unsettled: Vec<Sent>,
}

/// Sends messages until the server stops.
pub async fn run(app: Arc<App>) {
    let mut changes = app.store.changes();
    let mut sender = Sender::default();
    let mut is_failing = false;
    loop {
        let revision = changes.borrow_and_update().campaigns;
        let next = sender.work(&app).await;
        if let Err(error) = &next
            && !is_failing
        {
            tracing::warn!(error = %error, "the messages of campaigns cannot be processed: this is retried");
        }
        is_failing = next.is_err();
        let next = next.unwrap_or_else(|_| Some(app.now().plus(LOOK)));
        wait(&app, &mut changes, revision, next).await;
    }
}

/// Waits until the time, or until a campaign changes.
async fn wait(
    app: &App,
    changes: &mut watch::Receiver<ChangeNumbers>,
    revision: i64,
    due: Option<Instant>,
) {
    while changes.borrow_and_update().campaigns == revision {
        let now = app.now();
        match due {
            Some(due) if now >= due => return,
            // The clock may be set forward meanwhile.
            Some(due) => {
                drop(tokio::time::timeout(due.since(now).min(LOOK), changes.changed()).await);
            }
            None if changes.changed().await.is_err() => return std::future::pending().await,
            None => {}
        }
    }
}

impl Sender {
    /// Does everything that is due. Returns when there is more to do.
    async fn work(&mut self, app: &Arc<App>) -> Result<Option<Instant>, StoreError> {
        loop {
            self.settle(app).await?;
            let active = app.store.active_campaigns().await?;
            app.campaigns.follow(&active);
            let mut next = Next::default();
            for campaign in &active {
                let of_campaign = self.work_on(app, campaign).await?;
                next.is_busy |= of_campaign.is_busy;
                of_campaign.at.into_iter().for_each(|at| next.not_after(at));
            }
            if self.sending.is_empty() && !next.is_busy {
                return Ok(next.at);
            }
            self.gather().await;
        }
    }

    async fn work_on(&mut self, app: &Arc<App>, campaign: &Campaign) -> Result<Next, StoreError> {
        let now = app.now();
        let is_running = campaign.status == CampaignStatus::Running && !app.is_draining();
        let mut next = Next::default();
        let live = app.live.load_full();
        let Some(term) = live.catalog.get(campaign.definition.term_id) else { return Ok(next) };
        if is_running {
            if live.catalog.cancelled_at(term.id).is_some() {
                // Nothing takes effect of what the messages would say.
                app.store.set_campaign_status(campaign, CampaignAction::Cancel, &[], now).await?;
                next.is_busy = true;
                return Ok(next);
            }
            let audience = audience(&live.catalog, term, &campaign.definition, now);
            self.prepare(app, (campaign, &audience), &live, &mut next).await?;
            self.lease(app, (campaign, &audience), &live, &mut next).await?;
        }
        if !next.is_busy {
            let closing = app.store.close_batches(campaign, is_running, RANDOM, now).await?;
            closing.into_iter().for_each(|at| next.not_after(at));
            if is_running && self.sending.is_empty() {
                app.store.finish_campaign(&campaign.id, now).await?;
            }
        }
        Ok(next)
    }

    /// Prepares the messages of steps that are due.
    async fn prepare(
        &self,
        app: &App,
        (campaign, audience): (&Campaign, &Audience<'_>),
        live: &Live,
        next: &mut Next,
    ) -> Result<(), StoreError> {
        let zone_of = |code: Option<&str>| hours::zone_of(&live.markets, code);
        let preparing = Preparing { campaign: &campaign.id, zone_of: &zone_of, random: RANDOM };
        let began = std::time::Instant::now();
        for pass in app.store.campaign_passes(&campaign.id).await? {
            if pass.prepared_at.is_some() {
                continue;
            }
            if pass.due_at > app.now() {
                next.not_after(pass.due_at);
                continue;
            }
            let mut current = Some(pass);
            while let Some(pass) = current.filter(|pass| pass.prepared_at.is_none()) {
                next.is_busy = true;
                if began.elapsed() > PREPARED_FOR {
                    return Ok(());
                }
                current = app.store.prepare_messages(&pass, audience, preparing, app.now()).await?;
            }
        }
        Ok(())
    }

    /// Leases messages that may be sent now, and starts to send them.
    async fn lease(
        &mut self,
        app: &Arc<App>,
        (campaign, audience): (&Campaign, &Audience<'_>),
        live: &Live,
        next: &mut Next,
    ) -> Result<(), StoreError> {
        let now = app.now();
        let mut open = Vec::new();
        for (zone, due_at) in app.store.waiting_zones(&campaign.id).await? {
            let at = hours::opens_at(&zone, due_at.max(now));
            if at <= now { open.push(zone) } else { next.not_after(at) }
        }
        let free = AT_ONCE_MAX.saturating_sub(self.sending.len());
        if open.is_empty() || free == 0 {
            return Ok(());
        }
        let composer = app.composer(audience, &live.markets).await?;
        let limits = LeaseLimits {
            free: i64::try_from(free).unwrap_or(0),
            rate: app.campaigns.rate,
            until: now.plus(LEASE),
        };
        let compose = |recipient: &_, step| composer.text(recipient, step);
        let of = (campaign.id.as_str(), audience);
        let leased = app.store.lease_messages(of, &open, limits, &compose, now).await?;
        if leased.messages.is_empty() && leased.skipped == 0 {
            // The rate is used up, or another node sends them.
            next.not_after(now.plus(TICK));
        }
        next.is_busy |= leased.skipped > 0;
        for message in leased.messages {
            let (app, campaign) = (Arc::clone(app), campaign.id.clone());
            let term = audience.term.id;
            let about = About {
                term,
                is_optional: audience.is_optional(),
                is_notice: audience.term.is_notice(),
            };
            self.sending.spawn(async move {
                let attempt = tokio::time::timeout(ATTEMPT, send(&app, &message, about));
                let attempt = attempt.await.unwrap_or(Attempt::Unanswered);
                let settled = SettledMessage { message, attempt, at: app.now() };
                Sent { campaign, term, settled }
            });
        }
        Ok(())
    }

    /// Collects results for the length of a tick.
    async fn gather(&mut self) {
        let end = tokio::time::sleep(TICK);
        tokio::pin!(end);
        loop {
            tokio::select! {
                Some(sent) = self.sending.join_next() => self.unsettled.extend(sent.ok()),
                () = &mut end => return,
            }
        }
    }

    /// Records the results. Those that the store does not take are recorded later.
    async fn settle(&mut self, app: &App) -> Result<(), StoreError> {
        let mut by_campaign: HashMap<(String, TermId), Vec<SettledMessage>> = HashMap::new();
        for Sent { campaign, term, settled } in &self.unsettled {
            let of_campaign = by_campaign.entry((campaign.clone(), *term)).or_default();
            of_campaign.push(settled.clone());
        }
        for ((campaign, term), settled) in by_campaign {
            app.store.settle_messages(&campaign, term, &settled).await?;
            count(&settled);
            self.unsettled.retain(|sent| sent.campaign != campaign);
        }
        Ok(())
    }
}

fn count(settled: &[SettledMessage]) {
    for SettledMessage { message, attempt, .. } in settled {
        let outcome = match attempt {
            Attempt::Accepted => "accepted",
            Attempt::Deferred(_) => "deferred",
            Attempt::Bounced(_) => "bounced",
            Attempt::Failed(_) => "failed",
            Attempt::Unanswered => "unanswered",
            Attempt::Unreachable => "unreachable",
        };
        let channel = message.channel.as_str();
        counter!("musette_notice_attempts_total", "channel" => channel, "outcome" => outcome)
            .increment(1);
    }
}

/// The term that a message is about.
#[derive(Clone, Copy)]
struct About {
    term: TermId,
    is_optional: bool,
    is_notice: bool,
}

/// Sends a message by its channel.
async fn send(app: &App, message: &LeasedMessage, about: About) -> Attempt {
    let LeasedMessage { id, channel, recipient, text, sent_at, .. } = message;
    let Ok(base) = app.base_url().await else { return Attempt::Unreachable };
    let url = link(base, about.is_notice);
    let post = |identifier, kind| CampaignPost {
        id,
        identifier,
        kind,
        languages: &text.locale,
        subject: &text.subject,
        text: &text.body,
        url: &url,
    };
    let webhook = app.campaigns.webhook.as_ref();
    match channel {
        Channel::Email => {
            let Some(to) = recipient.email.as_deref() else { return Attempt::Unreachable };
            let unsubscribe = match about.is_optional {
                true => unsubscribe_url(app, id, base).await,
                false => None,
            };
            let logo = app.settings.company.logo.as_ref();
            let mail = CampaignMail {
                id,
                to,
                text,
                link: &url,
                sent_at: *sent_at,
                unsubscribe,
                logo: logo.map(|logo| format!("{base}{}", logo.path)),
            };
            app.delivery.send_campaign_mail(&mail).await
        }
        Channel::Sms => match (webhook, recipient.phone.as_deref()) {
            (Some(webhook), Some(phone)) => {
                webhook.send(&post(phone, "phone"), app.now().seconds()).await
            }
            _ => Attempt::Unreachable,
        },
        Channel::Webhook => match webhook {
            Some(webhook) => {
                webhook.send(&post(&recipient.user_id, "user"), app.now().seconds()).await
            }
            None => Attempt::Unreachable,
        },
        Channel::Push => {
            let url = document_link(base, about.term, about.is_notice);
            send_push(app, message, &url).await.unwrap_or(Attempt::Unanswered)
        }
        // Apps fetch their messages.
        Channel::App => Attempt::Unreachable,
    }
}

/// Sends a push message to each browser of a person. It is accepted if one push service accepts it.
async fn send_push(app: &App, message: &LeasedMessage, url: &str) -> Result<Attempt, StoreError> {
    let key = app.vapid_key().await?;
    let text = object!({"title": message.text.subject, "body": message.text.body, "url": url});
    // A push service replaces a message that has the same topic.
    let content = PushMessage { topic: message.id.replace('-', ""), text: text.to_string() };
    let mut attempt = Attempt::Failed("410".to_owned());
    for subscription in app.store.push_subscriptions_of(&message.recipient.subject).await? {
        let outcome =
            push::send(&app.store, &app.webhooks, key, &subscription, &content, app.now()).await?;
        attempt = match (attempt, outcome) {
            (Attempt::Accepted, _) | (_, PushOutcome::Accepted) => Attempt::Accepted,
            (Attempt::Unanswered, _) | (_, PushOutcome::NoAnswer(_)) => Attempt::Unanswered,
            (_, PushOutcome::Refused(status @ (429 | 500..=599))) => {
                Attempt::Deferred(status.to_string())
            }
            (Attempt::Deferred(status), _) => Attempt::Deferred(status),
            (_, PushOutcome::Refused(status)) => Attempt::Failed(status.to_string()),
            (attempt, PushOutcome::Gone) => attempt,
        };
    }
    Ok(attempt)
}

async fn unsubscribe_url(app: &App, message: &str, base: &str) -> Option<String> {
    let key = app.campaigns.unsubscribe_key(&app.store).await.ok()?;
    Some(format!("{base}/unsubscribe/{}", key.token(message)?))
}
