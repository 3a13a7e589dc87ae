//! Campaigns in requests and responses.

use std::collections::BTreeMap;

use musette_core::campaigns::{
    CampaignDefinition, CampaignFieldError, CampaignStep, CampaignText, Channel, Period, StepDate,
    StepTime,
};
use musette_core::instant::Instant;
use musette_core::terms::Term;
use musette_store::{Campaign, MessageCount};
use serde::{Deserialize, Serialize};

use crate::platform::closed_sets;

/// When a step is sent: at an instant, before a date of the term, or after the start of the
/// campaign.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(examples(json!({"before":"effective_from","by":"P30D"}), json!({"after":"start","by":"P7D"}), json!({"instant":"2027-01-15T09:00:00Z"})))]
pub struct StepTimeBody {
    /// The instant. Without the other members.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub instant: Option<String>,
    /// The date of the term: `effective_from` or `grace_until`. With `by`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// `start`. With `by`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The time before or after it: a duration of ISO 8601 in weeks, days, hours, minutes and
    /// seconds, such as `P30D` or `PT12H`, at most ten years.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A step of a campaign: one message to each rider.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct StepBody {
    /// When it is sent. A step whose time has passed before the start is sent at the start; of
    /// several, a rider gets only the latest that reaches them.
    #[schema(required)]
    pub at: StepTimeBody,
    /// The channel of the message.
    #[schema(required, value_type = closed_sets::NoticeChannel)]
    pub channel: String,
}

/// A text in one language. It may contain the placeholders `{{name}}`, `{{title}}`, `{{link}}` and
/// `{{deadline}}`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct TextBody {
    /// The subject, on one line.
    #[schema(required, min_length = 1, max_length = 200)]
    pub subject: String,
    /// The text. Blank lines separate paragraphs.
    #[schema(required, min_length = 1, max_length = 10000)]
    pub body: String,
}

/// A campaign to add, or the new definition of a campaign.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(examples(json!({"term_id":7,"steps":[{"at":{"before":"effective_from","by":"P30D"},"channel":"email"}],"texts":{"en":{"subject":"{{title}}","body":"Dear {{name}}, please read {{title}} by {{deadline}}: {{link}}"}}})))]
pub struct CampaignInput {
    /// The id of the version of a term or notice that the messages are about.
    #[schema(required, minimum = 1)]
    pub term_id: i64,
    /// Only riders of this market and inside it. Absent: all riders of the term's market.
    pub market: Option<String>,
    /// The steps.
    #[schema(required, min_items = 1, max_items = 20)]
    pub steps: Vec<StepBody>,
    /// The texts by language (a BCP 47 tag), at least one.
    #[schema(required)]
    pub texts: BTreeMap<String, TextBody>,
    /// True: at any time of day. Otherwise from 8:00 to 20:00 in the time zone of the rider's
    /// market.
    pub any_time: Option<bool>,
}

impl StepTimeBody {
    fn time(self, pointer: &str, errors: &mut Vec<CampaignFieldError>) -> StepTime {
        let mut error = |code, at: &str, detail: &str| {
            let pointer = format!("{pointer}{at}");
            errors.push(CampaignFieldError { pointer, code, detail: detail.to_owned() });
        };
        let by = self.by.as_deref().map(Period::parse);
        let period = || by.clone().flatten();
        if matches!(by, Some(None)) {
            error("invalid_duration", "/by", "This must be a duration such as P30D.");
        }
        match (self.instant, self.before, self.after) {
            (Some(instant), None, None) if by.is_none() => match Instant::parse(&instant) {
                Ok(at) => return StepTime::At(at.millis()),
                Err(_) => {
                    error("invalid_instant", "/instant", "This must be an RFC 3339 timestamp.");
                }
            },
            (None, Some(before), None) => match (StepDate::parse(&before), period()) {
                (Some(date), Some(by)) => return StepTime::Before(date, by),
                (None, _) => {
                    let detail = "This must be effective_from or grace_until.";
                    error("invalid_value", "/before", detail);
                }
                (Some(_), None) if self.by.is_none() => {
                    error("invalid_value", "/by", "This is required with 'before'.");
                }
                (Some(_), None) => {}
            },
            (None, None, Some(after)) => match (after.as_str(), period()) {
                ("start", Some(by)) => return StepTime::AfterStart(by),
                ("start", None) if self.by.is_none() => {
                    error("invalid_value", "/by", "This is required with 'after'.");
                }
                ("start", None) => {}
                _ => error("invalid_value", "/after", "This must be start."),
            },
            _ => {
                let detail =
                    "This must have either 'instant', 'before' with 'by', or 'after' with 'by'.";
                error("invalid_value", "", detail);
            }
        }
        StepTime::At(0)
    }
}

impl From<&StepTime> for StepTimeBody {
    fn from(time: &StepTime) -> Self {
        match time {
            StepTime::At(millis) => {
                let instant = Some(Instant::from_millis(*millis).to_string());
                Self { instant, ..Self::default() }
            }
            StepTime::Before(date, by) => Self {
                before: Some(date.as_str().to_owned()),
                by: Some(by.to_string()),
                ..Self::default()
            },
            StepTime::AfterStart(by) => Self {
                after: Some("start".to_owned()),
                by: Some(by.to_string()),
                ..Self::default()
            },
        }
    }
}

impl CampaignInput {
    /// Returns the definition, with the members that cannot be read.
    pub fn definition(self) -> (CampaignDefinition, Vec<CampaignFieldError>) {
        let mut errors = Vec::new();
        let steps = self.steps.into_iter().enumerate().map(|(i, step)| {
            let at = step.at.time(&format!("/steps/{i}/at"), &mut errors);
            let channel = Channel::parse(&step.channel).unwrap_or_else(|| {
                let detail = "This must be app, email, sms, webhook or push.";
                errors.push(CampaignFieldError::invalid(format!("/steps/{i}/channel"), detail));
                Channel::App
            });
            CampaignStep { at, channel }
        });
        let steps: Vec<CampaignStep> = steps.collect();
        let text = |TextBody { subject, body }| CampaignText { subject, body };
        let definition = CampaignDefinition {
            term_id: self.term_id,
            market: self.market,
            steps,
            texts: self.texts.into_iter().map(|(tag, body)| (tag, text(body))).collect(),
            any_time: self.any_time.unwrap_or(false),
        };
        (definition, errors)
    }
}

/// The numbers of messages of a step.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct StepProgress {
    /// The messages that wait for their attempt, or for the rider's app.
    #[schema(minimum = 0)]
    pub waiting: i64,
    /// The messages that the receiving server or the app accepted.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// The messages whose address was refused permanently.
    #[schema(minimum = 0)]
    pub bounced: i64,
    /// The messages that were not delivered for another reason.
    #[schema(minimum = 0)]
    pub failed: i64,
    /// The riders who get no message, because they decided before it or cannot be reached.
    #[schema(minimum = 0)]
    pub skipped: i64,
}

impl StepProgress {
    fn of(step: usize, counts: &[MessageCount]) -> Self {
        let mut progress = Self::default();
        for count in counts.iter().filter(|count| usize::try_from(count.step) == Ok(step)) {
            match (count.status.as_str(), count.outcome.as_deref()) {
                ("waiting" | "offered", _) => progress.waiting += count.messages,
                ("skipped", _) => progress.skipped += count.messages,
                (_, Some("accepted")) => progress.accepted += count.messages,
                (_, Some("bounced")) => progress.bounced += count.messages,
                (_, Some("failed")) => progress.failed += count.messages,
                _ => {}
            }
        }
        progress
    }
}

/// A step of a campaign with its progress.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CampaignStepBody {
    #[serde(flatten)]
    pub step: StepBody,
    /// The time at which it is due. Null before the start, if it depends on the start.
    #[schema(required, format = DateTime)]
    pub due_at: Option<String>,
    /// The messages of the step.
    pub progress: StepProgress,
}

/// A campaign.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CampaignBody {
    /// The id of the campaign.
    #[schema(format = "uuid")]
    pub id: String,
    /// The status of the campaign.
    #[schema(value_type = closed_sets::CampaignStatus)]
    pub status: &'static str,
    /// The id of the version of a term or notice that the messages are about.
    #[schema(minimum = 1)]
    pub term_id: i64,
    /// The market of the riders. Null: all riders of the term's market.
    #[schema(required)]
    pub market: Option<String>,
    /// The steps.
    pub steps: Vec<CampaignStepBody>,
    /// The texts by language.
    pub texts: BTreeMap<String, TextBody>,
    /// True if messages may be sent at any time of day.
    pub any_time: bool,
    /// The time at which it was added.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The time of the first start. Null for a draft.
    #[schema(required, format = DateTime)]
    pub started_at: Option<String>,
    /// The time at which it was finished or cancelled. Null before that.
    #[schema(required, format = DateTime)]
    pub ended_at: Option<String>,
}

impl CampaignBody {
    pub fn new(campaign: Campaign, term: &Term, counts: &[MessageCount]) -> Self {
        let Campaign { id, definition, status, created_at, started_at, ended_at } = campaign;
        let due_at = |step: &CampaignStep| match (&step.at, started_at) {
            (StepTime::AfterStart(_), None) => None,
            (_, start) => step.due(term, start.unwrap_or(created_at)),
        };
        let steps = definition.steps.iter().enumerate().map(|(i, step)| CampaignStepBody {
            due_at: due_at(step).map(|at| at.to_string()),
            progress: StepProgress::of(i, counts),
            step: StepBody { at: (&step.at).into(), channel: step.channel.as_str().to_owned() },
        });
        let steps = steps.collect();
        let text = |CampaignText { subject, body }| TextBody { subject, body };
        Self {
            id,
            status: status.as_str(),
            term_id: definition.term_id,
            market: definition.market,
            steps,
            texts: definition.texts.into_iter().map(|(tag, body)| (tag, text(body))).collect(),
            any_time: definition.any_time,
            created_at: created_at.to_string(),
            started_at: started_at.map(|at| at.to_string()),
            ended_at: ended_at.map(|at| at.to_string()),
        }
    }
}
