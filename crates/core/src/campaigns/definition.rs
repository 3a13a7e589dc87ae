pub use crate::channel::Channel;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::period::Period;
use crate::instant::Instant;
use crate::terms::{Term, TermId, choose_language};

/// Whether a campaign sends messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignStatus {
    /// It was not started.
    Draft,
    /// It sends messages.
    Running,
    /// It was interrupted.
    Paused,
    /// All messages have an outcome.
    Finished,
    /// It was ended early.
    Cancelled,
}

impl CampaignStatus {
    /// All statuses.
    pub const ALL: [Self; 5] =
        [Self::Draft, Self::Running, Self::Paused, Self::Finished, Self::Cancelled];

    /// Returns the name in the JSON and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
        }
    }

    /// Parses the name of a status.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Returns whether the definition may be changed.
    pub const fn is_editable(self) -> bool {
        matches!(self, Self::Draft | Self::Paused)
    }
}

/// A change of the status by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignAction {
    /// Starts a draft.
    Start,
    /// Interrupts a running campaign.
    Pause,
    /// Continues a paused campaign.
    Resume,
    /// Ends a campaign that has not ended.
    Cancel,
}

impl CampaignAction {
    /// Returns the status that the action leads to. `None` if the action is not possible.
    pub const fn apply(self, status: CampaignStatus) -> Option<CampaignStatus> {
        match (self, status) {
            (Self::Start, CampaignStatus::Draft) | (Self::Resume, CampaignStatus::Paused) => {
                Some(CampaignStatus::Running)
            }
            (Self::Pause, CampaignStatus::Running) => Some(CampaignStatus::Paused),
            (
                Self::Cancel,
                CampaignStatus::Draft | CampaignStatus::Running | CampaignStatus::Paused,
            ) => Some(CampaignStatus::Cancelled),
            _ => None,
        }
    }
}

/// A date of a term that a step refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepDate {
    /// When the term takes effect.
    EffectiveFrom,
    /// When its grace period ends.
    GraceUntil,
}

impl StepDate {
    /// Parses the name of a date.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "effective_from" => Some(Self::EffectiveFrom),
            "grace_until" => Some(Self::GraceUntil),
            _ => None,
        }
    }

    /// Returns the name in the JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EffectiveFrom => "effective_from",
            Self::GraceUntil => "grace_until",
        }
    }
}

/// When a step is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepTime {
    /// At an instant, in milliseconds since 1970.
    At(i64),
    /// Before a date of the term.
    Before(StepDate, Period),
    /// After the start of the campaign.
    AfterStart(Period),
}

/// One message to each person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignStep {
    /// When it is sent.
    pub at: StepTime,
    /// How it is sent.
    pub channel: Channel,
}

impl CampaignStep {
    /// Returns when the step is due. `None` if the term does not have the date.
    pub fn due(&self, term: &Term, start: Instant) -> Option<Instant> {
        let millis = match &self.at {
            StepTime::At(millis) => *millis,
            StepTime::AfterStart(period) => start.millis().saturating_add(period.millis()),
            StepTime::Before(StepDate::EffectiveFrom, period) => {
                term.effective_from.millis().saturating_sub(period.millis())
            }
            StepTime::Before(StepDate::GraceUntil, period) => {
                term.grace_until?.millis().saturating_sub(period.millis())
            }
        };
        Some(Instant::from_millis(millis))
    }
}

/// The texts of a message in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignText {
    /// One line.
    pub subject: String,
    /// Paragraphs.
    pub body: String,
}

/// Content, audience and times of a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignDefinition {
    /// The term or notice that the messages are about.
    pub term_id: TermId,
    /// Only riders of this market and inside it.
    pub market: Option<String>,
    /// The steps.
    pub steps: Vec<CampaignStep>,
    /// The texts by language (BCP 47).
    pub texts: BTreeMap<String, CampaignText>,
    /// Whether messages may be sent at any time of day.
    pub any_time: bool,
}

impl CampaignDefinition {
    /// Returns the language of the text for a person: by RFC 4647 lookup of their locale, else the
    /// default language of the term.
    pub fn locale_for(&self, locale: Option<&str>, term: &Term) -> Option<&str> {
        let tags: Vec<&str> = self.texts.keys().map(String::as_str).collect();
        let lookup = |range: &str| choose_language(&[range], &tags, |tag| tag).copied();
        let default = || term.variants.first().and_then(|variant| lookup(&variant.locale));
        locale.and_then(lookup).or_else(default)
    }

    /// Returns the passes that prepare the messages of these steps: those that are already past
    /// share one pass, so that a person gets one message for them. Each pass has its time and its
    /// steps, the latest first.
    pub fn passes(
        &self,
        term: &Term,
        start: Instant,
        now: Instant,
        steps: &[usize],
    ) -> Vec<(Instant, Vec<usize>)> {
        let dated = |i: &usize| Some((self.steps.get(*i)?.due(term, start)?, *i));
        let mut dues: Vec<(Instant, usize)> = steps.iter().filter_map(dated).collect();
        dues.sort_unstable();
        let (past, future): (Vec<_>, Vec<_>) = dues.into_iter().partition(|(at, _)| *at < now);
        let past: Vec<usize> = past.into_iter().rev().map(|(_, i)| i).collect();
        let past = (!past.is_empty()).then_some((now, past));
        past.into_iter().chain(future.into_iter().map(|(at, i)| (at, vec![i]))).collect()
    }

    /// Returns the channels of the steps, without repetitions.
    pub fn channels(&self) -> Vec<Channel> {
        Channel::ALL
            .into_iter()
            .filter(|channel| self.steps.iter().any(|step| step.channel == *channel))
            .collect()
    }
}
