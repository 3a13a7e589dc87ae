//! `POST /campaigns/{id}/start`, `/pause`, `/resume`, `/cancel`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::campaigns::{CampaignAction, CampaignStatus};
use musette_store::Campaign;

use super::{CampaignBody, absent, answer, changed_meanwhile, managed, term_of, wrong_status};
use crate::decisions::RANDOM;
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{ManageCampaigns, Within};
use crate::http::decisions::requests::IdOf;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::CampaignPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// Start a campaign.
///
/// - 409 `conflict`: the campaign is not a draft.
/// - 409 `channel_not_configured`: a step has a channel that this server cannot use.
#[utoipa::path(
    post, path = "/api/admin/v1/campaigns/{id}/start", tag = "admin-terms", operation_id = "start_campaign",
    params(CampaignPath),
    responses((status = 200, body = CampaignBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn start(
    State(app): State<Arc<App>>,
    within: Within<ManageCampaigns>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    act(&app, within, &id, CampaignAction::Start).await
}

/// Pause a running campaign.
///
/// A message that is being sent at this moment may still arrive.
///
/// - 409 `conflict`: the campaign is not running.
#[utoipa::path(
    post, path = "/api/admin/v1/campaigns/{id}/pause", tag = "admin-terms", operation_id = "pause_campaign",
    params(CampaignPath),
    responses((status = 200, body = CampaignBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn pause(
    State(app): State<Arc<App>>,
    within: Within<ManageCampaigns>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    act(&app, within, &id, CampaignAction::Pause).await
}

/// Resume a paused campaign.
///
/// - 409 `conflict`: the campaign is not paused.
/// - 409 `channel_not_configured`: a step has a channel that this server cannot use.
#[utoipa::path(
    post, path = "/api/admin/v1/campaigns/{id}/resume", tag = "admin-terms", operation_id = "resume_campaign",
    params(CampaignPath),
    responses((status = 200, body = CampaignBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn resume(
    State(app): State<Arc<App>>,
    within: Within<ManageCampaigns>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    act(&app, within, &id, CampaignAction::Resume).await
}

/// Cancel a campaign that has not ended.
///
/// - 409 `conflict`: the campaign was finished or cancelled before.
#[utoipa::path(
    post, path = "/api/admin/v1/campaigns/{id}/cancel", tag = "admin-terms", operation_id = "cancel_campaign",
    params(CampaignPath),
    responses((status = 200, body = CampaignBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn cancel(
    State(app): State<Arc<App>>,
    within: Within<ManageCampaigns>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    act(&app, within, &id, CampaignAction::Cancel).await
}

const fn audit_event(action: CampaignAction) -> &'static str {
    match action {
        CampaignAction::Start => "campaign_started",
        CampaignAction::Pause => "campaign_paused",
        CampaignAction::Resume => "campaign_resumed",
        CampaignAction::Cancel => "campaign_cancelled",
    }
}

async fn act(
    app: &App,
    Within { caller, reach, .. }: Within<ManageCampaigns>,
    id: &str,
    action: CampaignAction,
) -> Result<Response, Problem> {
    let campaign = managed(app, &caller, &reach, id).await?;
    let Some(status) = action.apply(campaign.status) else {
        return Err(wrong_status(campaign.status));
    };
    let now = app.now();
    let passes = match status {
        CampaignStatus::Running => {
            check_channels(app, &campaign)?;
            let live = app.live.load_full();
            let term = term_of(&live, &campaign.definition)?;
            let planned = app.store.campaign_passes(id).await?;
            campaign.new_passes(term, &planned, now)
        }
        _ => Vec::new(),
    };
    if !app.store.set_campaign_status(&campaign, action, &passes, now).await? {
        return Err(changed_meanwhile());
    }
    if status != CampaignStatus::Running {
        // Messages that are being sent at this moment get a later batch.
        app.store.close_batches(&campaign, false, RANDOM, now).await?;
    }
    audit_action(app, &caller.subject, event_about(audit_event(action), id.to_owned())).await;
    let campaign = app.store.campaign(id).await?.ok_or_else(absent)?;
    Ok(private(&answer(app, campaign).await?))
}

fn check_channels(app: &App, campaign: &Campaign) -> Result<(), Problem> {
    let mut channels = campaign.definition.channels().into_iter();
    match channels.find(|channel| !app.has_channel(*channel)) {
        None => Ok(()),
        Some(channel) => {
            let detail = format!("This server cannot use the channel {}.", channel.as_str());
            Err(Problem::new(StatusCode::CONFLICT, "channel_not_configured", detail))
        }
    }
}
