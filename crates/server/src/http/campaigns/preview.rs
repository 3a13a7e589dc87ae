//! `POST /campaigns/{id}/preview`: the riders that a campaign would reach.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::campaigns::SkipReason;
use serde::Serialize;

use super::{managed, term_of};
use crate::campaigns::audience;
use crate::http::access::permission::{ManageCampaigns, Within};
use crate::http::decisions::requests::IdOf;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::CampaignPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

const RIDERS_PER_READ: i64 = 1000;

/// The riders who would get no message, by the first reason that holds.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct SkippedCounts {
    /// They have decided, or opened the notice.
    #[schema(minimum = 0)]
    pub decided: i64,
    /// No text fits their language, and none is in the default language of the term.
    #[schema(minimum = 0)]
    pub no_text: i64,
    /// A message to their e-mail address was refused permanently.
    #[schema(minimum = 0)]
    pub bounced: i64,
    /// They do not want e-mails about optional terms.
    #[schema(minimum = 0)]
    pub restricted_channel: i64,
    /// They have no address for the channels.
    #[schema(minimum = 0)]
    pub no_address: i64,
}

/// The riders that a campaign would reach now.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct CampaignPreview {
    /// The riders that at least one channel reaches.
    #[schema(minimum = 0)]
    pub addressed: i64,
    /// The riders that each channel reaches. The sum may be higher than `addressed`.
    pub by_channel: BTreeMap<&'static str, i64>,
    /// The riders who are reached, by the language of the text.
    pub by_locale: BTreeMap<String, i64>,
    /// The riders who are not reached.
    pub skipped: SkippedCounts,
}

impl CampaignPreview {
    fn skip(&mut self, reason: SkipReason) {
        let count = match reason {
            SkipReason::Decided => &mut self.skipped.decided,
            SkipReason::NoText => &mut self.skipped.no_text,
            SkipReason::Bounced => &mut self.skipped.bounced,
            SkipReason::RestrictedChannel => &mut self.skipped.restricted_channel,
            SkipReason::NoAddress => &mut self.skipped.no_address,
        };
        *count += 1;
    }
}

/// Count the riders that a campaign would reach now.
///
/// The operation changes nothing.
#[utoipa::path(
    post, path = "/api/admin/v1/campaigns/{id}/preview", tag = "admin-terms", operation_id = "preview_campaign",
    params(CampaignPath),
    responses((status = 200, body = CampaignPreview), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn preview(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManageCampaigns>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let campaign = managed(&app, &caller, &reach, &id).await?;
    let live = app.live.load_full();
    let term = term_of(&live, &campaign.definition)?;
    let audience = audience(&live.catalog, term, &campaign.definition, app.now());
    let channels = campaign.definition.channels();
    let mut body = CampaignPreview::default();
    body.by_channel.extend(channels.iter().map(|channel| (channel.as_str(), 0)));
    let mut after = String::new();
    loop {
        let riders = app.store.recipients_after(&audience, &after, RIDERS_PER_READ).await?;
        for rider in &riders {
            let reachability = audience.reachability(rider);
            if let Some(reason) = reachability.skip_reason(&channels) {
                body.skip(reason);
                continue;
            }
            body.addressed += 1;
            for channel in channels.iter().filter(|channel| reachability.reaches(**channel)) {
                *body.by_channel.entry(channel.as_str()).or_default() += 1;
            }
            let locale = campaign.definition.locale_for(rider.locale.as_deref(), term);
            *body.by_locale.entry(locale.unwrap_or_default().to_owned()).or_default() += 1;
        }
        match riders.last() {
            Some(last) => after.clone_from(&last.subject),
            None => return Ok(private(&body)),
        }
    }
}
