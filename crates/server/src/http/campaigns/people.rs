//! `GET /campaigns/{id}/people`, and the proof of a message.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::campaigns::CampaignStatus;
use musette_core::instant::Instant;
use musette_store::{
    Audience, Campaign, MarketFilter, MessageProof, Pass, PersonMessage, Recipient,
};
use serde::Serialize;
use serde_json::Value;

use super::{readable, term_of};
use crate::campaigns::audience;
use crate::http::access::permission::{ReadDecisions, ReadEvidence, Within};
use crate::http::decisions::requests::{IdOf, uuid};
use crate::http::wire::caching::private;
use crate::http::wire::page::{Following, PageAfter, cursor};
use crate::http::wire::parameters::{CampaignMessagePath, CampaignPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets::{self, CAMPAIGN_PERSON_STATUSES};

const PEOPLE_PER_READ: i64 = 500;
/// The number of reads for one page, when the status may match almost no person.
const READS_PER_PAGE: usize = 20;

/// Filter of the list of people.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StatusQuery {
    /// Only people with this status.
    #[param(value_type = Option<closed_sets::CampaignPersonStatus>)]
    status: Option<&'static str>,
}

impl FromQuery for StatusQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let status = |text: &str| CAMPAIGN_PERSON_STATUSES.into_iter().find(|name| *name == text);
        let allowed = "waiting, served, opened, decided, bounced, failed or skipped";
        Ok(Self { status: parameters.parsed("status", status, allowed)? })
    }
}

/// A message to a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MessageBody {
    /// The id of the message. It is also the `webhook-id`.
    #[schema(format = "uuid")]
    id: String,
    /// The index of the step, from 0.
    #[schema(minimum = 0)]
    step: i64,
    /// The channel of the message.
    #[schema(value_type = closed_sets::NoticeChannel)]
    channel: String,
    /// The language of the text. Null if there is none.
    #[schema(required)]
    locale: Option<String>,
    /// The SHA-256 of the exact text: subject, two line feeds and body; for `sms` the body. Null
    /// before the first attempt.
    #[schema(required, pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
    /// The time of the first attempt. Null before it.
    #[schema(required, format = DateTime)]
    sent_at: Option<String>,
    /// The result. Null before it.
    #[schema(required, value_type = Option<closed_sets::NoticeOutcome>)]
    outcome: Option<String>,
    /// The last status of the receiving server, such as `5.1.1`. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    /// True if an attempt without an answer was made again, so that it may have arrived twice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    /// The `Message-ID` of an e-mail, without its brackets. Absent for other channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<String>,
}

/// A person that a campaign addresses.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CampaignPerson {
    /// The id of the user.
    user_id: String,
    /// The status of the person in the campaign.
    #[schema(value_type = closed_sets::CampaignPersonStatus)]
    status: &'static str,
    /// Why they get no message. Only with `skipped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The messages to them, by step.
    messages: Vec<MessageBody>,
}

/// What the status of a person depends on.
struct Judging<'a> {
    campaign: &'a Campaign,
    audience: &'a Audience<'a>,
    passes: &'a [Pass],
}

impl Judging<'_> {
    /// Returns status and reason of a person. None if no step addresses them any more.
    fn status(
        &self,
        person: &Recipient,
        messages: &[PersonMessage],
    ) -> Option<(&'static str, Option<String>)> {
        let has = |outcome: &str| {
            messages.iter().any(|message| message.outcome.as_deref() == Some(outcome))
        };
        let is_over =
            matches!(self.campaign.status, CampaignStatus::Cancelled | CampaignStatus::Finished);
        let is_open =
            |message: &PersonMessage| matches!(message.status.as_str(), "waiting" | "offered");
        if person.has_opened {
            return Some(("opened", None));
        }
        if person.has_decided {
            return Some(("decided", None));
        }
        if has("accepted") {
            return Some(("served", None));
        }
        if messages.iter().any(is_open) {
            return Some(match is_over {
                false => ("waiting", None),
                // It may have been sent, but nothing is known of it.
                true if messages.iter().any(|message| message.in_doubt) => ("failed", None),
                true => ("skipped", Some("cancelled".to_owned())),
            });
        }
        if has("bounced") {
            return Some(("bounced", None));
        }
        if has("failed") {
            return Some(("failed", None));
        }
        if let Some(skipped) = messages.last() {
            return Some(("skipped", skipped.reason.clone()));
        }
        self.before_messages(person, is_over)
    }

    /// Returns the status of a person without messages.
    fn before_messages(
        &self,
        person: &Recipient,
        is_over: bool,
    ) -> Option<(&'static str, Option<String>)> {
        let is_planned = !self.passes.is_empty();
        let is_prepared = self.passes.iter().all(|pass| pass.prepared_at.is_some());
        if is_planned && is_prepared {
            return None;
        }
        let channels = self.campaign.definition.channels();
        let reason = self.audience.reachability(person).skip_reason(&channels);
        Some(match (reason, is_over) {
            (Some(reason), _) => ("skipped", Some(reason.as_str().to_owned())),
            (None, true) => ("skipped", Some("cancelled".to_owned())),
            (None, false) => ("waiting", None),
        })
    }
}

fn message(app: &App, row: PersonMessage) -> MessageBody {
    let is_email = row.channel == "email" && row.sent_at.is_some();
    MessageBody {
        message_id: is_email.then(|| app.delivery.message_id(&row.id)).flatten(),
        id: row.id,
        step: row.step,
        channel: row.channel,
        locale: row.locale,
        sha256: row.sha256,
        sent_at: row.sent_at.map(|at| Instant::from_millis(at).to_string()),
        outcome: row.outcome,
        status: row.outcome_status,
        repeated: row.repeated,
    }
}

/// List the people that a campaign addresses.
///
/// The status is the first that holds of `opened`, `decided`, `served`, `waiting`, `bounced`,
/// `failed` and `skipped`.
///
/// - 400 `invalid_parameter`: `status`, `limit` or `after` is malformed.
#[utoipa::path(
    get, path = "/api/admin/v1/campaigns/{id}/people", tag = "admin-terms", operation_id = "campaign_people",
    params(CampaignPath, StatusQuery, PageAfter),
    responses((status = 200, body = Following<CampaignPerson>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_decisions"]))
)]
pub async fn people(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadDecisions>,
    IdOf(id): IdOf,
    Query(query): Query<StatusQuery>,
    Query(page): Query<PageAfter>,
) -> Result<Response, Problem> {
    let campaign = readable(&app, &caller, &reach, &id).await?;
    let live = app.live.load_full();
    let term = term_of(&live, &campaign.definition)?;
    let audience = audience(&live.catalog, term, &campaign.definition, app.now());
    let markets = reach.markets.as_deref();
    let markets = markets.map_or(MarketFilter::EVERYWHERE, MarketFilter::inside);
    let passes = app.store.campaign_passes(&id).await?;
    let judging = Judging { campaign: &campaign, audience: &audience, passes: &passes };
    let (mut items, mut after) = (Vec::new(), page.after);
    for _ in 0..READS_PER_PAGE {
        let of = (id.as_str(), &audience);
        let people = app.store.people_of_campaign(of, &markets, &after, PEOPLE_PER_READ).await?;
        let mut messages = app.store.messages_of(&id, &people).await?;
        let is_last = i64::try_from(people.len()).unwrap_or(0) < PEOPLE_PER_READ;
        for person in people {
            after.clone_from(&person.user_id);
            let of_person: Vec<PersonMessage> =
                messages.extract_if(.., |message| message.person == person.subject).collect();
            let Some((status, reason)) = judging.status(&person, &of_person) else { continue };
            if query.status.is_some_and(|wanted| wanted != status) {
                continue;
            }
            let messages = of_person.into_iter().map(|row| message(&app, row)).collect();
            items.push(CampaignPerson { user_id: person.user_id, status, reason, messages });
            if items.len() == page.limit {
                return Ok(private(&Following { items, next: Some(cursor(&after)) }));
            }
        }
        if is_last {
            return Ok(private(&Following { items, next: None }));
        }
    }
    Ok(private(&Following { items, next: Some(cursor(&after)) }))
}

/// The proof that a message was sent.
///
/// The leaf of the message is the RFC 6962 hash of SHA-256(salt ‖ record), with the record in its
/// RFC 8785 form. `path` leads from it to `root`, which the log entry contains.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MessageProofBody {
    /// The proved record: message, campaign, step, channel, language, hash of the text, time of the
    /// first attempt, and the person's pseudonym in the log.
    #[schema(value_type = Object)]
    record: Value,
    /// 32 random bytes, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    salt: String,
    /// The index of the message in its batch, from 0.
    #[schema(minimum = 0)]
    index: i64,
    /// The number of messages of the batch.
    #[schema(minimum = 1, maximum = 1000)]
    count: i64,
    /// The hashes from the leaf to the root, in lower-case hexadecimal.
    path: Vec<String>,
    /// The root of the batch, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    root: String,
    /// The canonical text of the log entry `notice.batch`.
    entry: String,
    /// The proof that the entry is in the log, as C2SP `tlog-proof@v1`.
    proof: String,
}

impl From<MessageProof> for MessageProofBody {
    fn from(proof: MessageProof) -> Self {
        let MessageProof { record, salt, index, count, path, root, entry, proof, .. } = proof;
        Self { record, salt, index, count, path, root, entry, proof }
    }
}

/// Read the proof of a message.
///
/// - 404 `not_found`: there is no such message of the campaign, or its batch is not closed yet. A
///   batch is closed at the latest a minute after its first message.
#[utoipa::path(
    get, path = "/api/admin/v1/campaigns/{id}/messages/{message}/proof", tag = "admin-terms", operation_id = "message_proof",
    params(CampaignMessagePath),
    responses((status = 200, body = MessageProofBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn proof(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadEvidence>,
    Path((id, message)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (id, message) = (uuid(Some(&id))?, uuid(Some(&message))?);
    let proof = app.store.message_proof(&message).await?;
    let proof = proof.filter(|proof| proof.campaign == id).ok_or_else(absent_message)?;
    if !reach.covers_code(proof.market.as_deref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(private(&MessageProofBody::from(proof)))
}

fn absent_message() -> Problem {
    Problem::absent("message with this id in a closed batch of this campaign")
}
