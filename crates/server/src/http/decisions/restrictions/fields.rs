//! Bodies of requests about restrictions.

use std::collections::BTreeMap;

use musette_core::decisions::restrictions::judge::{DecisionFields, RestrictionRequest};
use musette_core::decisions::restrictions::{
    Contact, RestrictionContent, RestrictionKind, ReviewOutcome,
};
use serde::Deserialize;

use super::super::fields::{self, DecidingSystemBody, ReasonBody};
use super::super::requests::{posting, uuid};
use crate::http::wire::problem::Problem;
use crate::platform::closed_sets;

const EVALUATIONS_MAX: usize = 100;

/// The contact for the rider's questions: a name, and an e-mail address or a phone number (422
/// `contact_required`).
#[derive(Debug, Clone, Default, serde::Serialize, Deserialize, utoipa::ToSchema)]
pub struct RestrictionContactBody {
    /// The name of the person or department, on one line.
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// The e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub email: Option<String>,
    /// The phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub phone: Option<String>,
}

/// A restriction to impose or to propose.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"user_id":"rider-17","kind":"suspension","statement":{"en":"You may not work until 1 December, because two orders were not delivered on 20 November."},"reasons":[{"code":"orders_not_delivered","text":{"en":"Two orders were not delivered"}}],"contact":{"name":"Rider support","email":"riders@example.com"},"ends_at":"2026-12-01T00:00:00Z"})))]
pub struct NewRestrictionBody {
    /// The user id of the rider. An unknown one returns 422 `unknown_user`.
    #[schema(min_length = 1, max_length = 255)]
    pub user_id: String,
    /// The kind of restriction.
    #[schema(value_type = closed_sets::RestrictionKind)]
    pub kind: String,
    /// The statement to the rider, by language (BCP 47 tag). The text in the language of the rider,
    /// or else of their market, has at least 50 characters (422 `statement_required`).
    pub statement: Option<BTreeMap<String, String>>,
    /// At least one reason (422 `reasons_required`).
    #[schema(max_items = 20)]
    pub reasons: Option<Vec<ReasonBody>>,
    /// The contact for the rider's questions.
    pub contact: Option<RestrictionContactBody>,
    /// The start, not in the past. Absent: when it is imposed.
    #[schema(format = DateTime)]
    pub starts_at: Option<String>,
    /// The end. Required for a suspension, and not allowed for a termination.
    #[schema(format = DateTime)]
    pub ends_at: Option<String>,
    /// The ids of evaluations of the rider that it is based on.
    #[schema(max_items = 100)]
    pub evaluations: Option<Vec<String>>,
    /// The automated system that proposes it. Required for a service key (422 `system_required`).
    pub system: Option<DecidingSystemBody>,
}

/// The decision about a proposed restriction. Further members replace those of the proposal.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"effect":"impose"})))]
pub struct RestrictionDecisionBody {
    /// The decision.
    #[schema(value_type = closed_sets::ProposalEffect)]
    pub effect: String,
    /// The statement to the rider, by language. Absent: that of the proposal.
    pub statement: Option<BTreeMap<String, String>>,
    /// The reasons. Absent: those of the proposal.
    #[schema(max_items = 20)]
    pub reasons: Option<Vec<ReasonBody>>,
    /// The contact for the rider's questions. Absent: the contact of the proposal.
    pub contact: Option<RestrictionContactBody>,
    /// The start, not in the past. Absent: that of the proposal, or now if it has passed.
    #[schema(format = DateTime)]
    pub starts_at: Option<String>,
    /// The end. Absent: that of the proposal.
    #[schema(format = DateTime)]
    pub ends_at: Option<String>,
}

/// The end of a restriction.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"message":"The restaurant has found both orders."})))]
pub struct LiftBody {
    /// The message to the rider: 1 to 4,000 characters after trimming.
    pub message: String,
}

/// The rider's request of a review.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"message":"I delivered both orders. Please ask the restaurant."})))]
pub struct ReviewRequestBody {
    /// Why the restriction is wrong: 1 to 4,000 characters after trimming.
    pub message: String,
}

/// The answer to a review.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"outcome":"lifted","message":"The restaurant has found both orders. We have lifted the suspension."})))]
pub struct ReviewAnswerBody {
    /// The outcome.
    #[schema(value_type = closed_sets::ReviewOutcome)]
    pub outcome: String,
    /// The message to the rider: 50 to 4,000 characters after trimming.
    pub message: String,
    /// The new end, earlier than the present one and not in the past. Only with `changed`.
    #[schema(format = DateTime)]
    pub ends_at: Option<String>,
}

posting!(
    NewRestrictionBody,
    RestrictionDecisionBody,
    LiftBody,
    ReviewRequestBody,
    ReviewAnswerBody
);

impl RestrictionContactBody {
    fn contact(self) -> Contact {
        let trimmed = |text: Option<String>| {
            text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let name = trimmed(self.name).unwrap_or_default();
        Contact { name, email: trimmed(self.email), phone: trimmed(self.phone) }
    }
}

fn message(text: String) -> Result<String, Problem> {
    let text = fields::text("/message", Some(text))?.filter(|text| !text.is_empty());
    text.ok_or_else(|| fields::invalid("/message", "have 1 to 4,000 characters"))
}

impl NewRestrictionBody {
    fn check(&self) -> Result<(), Problem> {
        self.clone().checked().map(drop)
    }

    /// Returns the content, or the error of its shape.
    pub fn checked(self) -> Result<RestrictionContent, Problem> {
        let kind = RestrictionKind::parse(&self.kind);
        let evaluations = self.evaluations.unwrap_or_default();
        if evaluations.len() > EVALUATIONS_MAX {
            return Err(fields::invalid("/evaluations", "have at most 100 items"));
        }
        let ids = evaluations.iter().enumerate().map(|(i, id)| {
            let invalid = |_| fields::invalid(&format!("/evaluations/{i}"), "be a UUID");
            uuid(Some(id)).map_err(invalid)
        });
        Ok(RestrictionContent {
            kind: kind.ok_or_else(|| fields::invalid("/kind", "be a kind of restriction"))?,
            statement: fields::statement(self.statement)?.unwrap_or_default(),
            reasons: fields::reasons(self.reasons)?.unwrap_or_default(),
            contact: self.contact.unwrap_or_default().contact(),
            starts_at: fields::instant("/starts_at", self.starts_at.as_deref())?,
            ends_at: fields::instant("/ends_at", self.ends_at.as_deref())?,
            evaluations: ids.collect::<Result<_, _>>()?,
            system: fields::system(self.system)?,
        })
    }
}

impl RestrictionDecisionBody {
    fn check(&self) -> Result<(), Problem> {
        self.clone().checked().map(drop)
    }

    /// Returns the request, or the error of its shape.
    pub fn checked(self) -> Result<RestrictionRequest, Problem> {
        let changed = Box::new(DecisionFields {
            statement: fields::statement(self.statement)?,
            reasons: fields::reasons(self.reasons)?,
            contact: self.contact.map(RestrictionContactBody::contact),
            starts_at: fields::instant("/starts_at", self.starts_at.as_deref())?,
            ends_at: fields::instant("/ends_at", self.ends_at.as_deref())?,
        });
        match self.effect.as_str() {
            "impose" => Ok(RestrictionRequest::Impose(changed)),
            "dismiss" => Ok(RestrictionRequest::Dismiss(changed)),
            _ => Err(fields::invalid("/effect", "be impose or dismiss")),
        }
    }
}

impl LiftBody {
    fn check(&self) -> Result<(), Problem> {
        self.clone().checked().map(drop)
    }

    /// Returns the request, or the error of its shape.
    pub fn checked(self) -> Result<RestrictionRequest, Problem> {
        Ok(RestrictionRequest::Lift { message: message(self.message)? })
    }
}

impl ReviewRequestBody {
    fn check(&self) -> Result<(), Problem> {
        self.clone().checked().map(drop)
    }

    /// Returns the request, or the error of its shape.
    pub fn checked(self) -> Result<RestrictionRequest, Problem> {
        Ok(RestrictionRequest::RequestReview { message: message(self.message)? })
    }
}

impl ReviewAnswerBody {
    fn check(&self) -> Result<(), Problem> {
        self.clone().checked().map(drop)
    }

    /// Returns the request, or the error of its shape.
    pub fn checked(self) -> Result<RestrictionRequest, Problem> {
        let outcome = ReviewOutcome::parse(&self.outcome);
        Ok(RestrictionRequest::Answer {
            outcome: outcome.ok_or_else(|| fields::invalid("/outcome", "be an outcome"))?,
            message: fields::text("/message", Some(self.message))?.unwrap_or_default(),
            ends_at: fields::instant("/ends_at", self.ends_at.as_deref())?,
        })
    }
}
