//! Excusals in requests and answers.

use std::collections::{BTreeMap, HashSet};

use musette_core::decisions::{Reason, check_reasons};
use musette_core::instant::Instant;
use musette_store::{Excusal, ExcusalItem};
use serde::{Deserialize, Serialize};

use crate::decisions::excusals::EXCUSED;
use crate::http::decisions::fields;
use crate::http::decisions::requests::{posting, uuid};
use crate::http::wire::problem::Problem;
use crate::platform::closed_sets;

/// Evaluations of one excusal.
pub const EVALUATIONS_MAX: usize = 2000;

/// An evaluation to excuse.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
pub struct ExcusedEvaluationBody {
    /// The id of the evaluation.
    #[schema(format = "uuid")]
    pub id: String,
    /// The version that the caller has read. With another one it is not excused.
    #[schema(minimum = 1)]
    pub version: i64,
}

/// An excusal to schedule.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"market":"DE-BE","text":{"en":"Excused: storm on 20 November"},"evaluations":[{"id":"0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e","version":2}]})))]
pub struct NewExcusalBody {
    /// The market that contains all evaluations. Absent: any, or the only market of the caller's role.
    pub market: Option<String>,
    /// The text of the reason, by language (BCP 47 tag). At least one; each has at most 1,000
    /// characters.
    pub text: BTreeMap<String, String>,
    /// The evaluations, each once.
    #[schema(min_items = 1, max_items = 2000)]
    pub evaluations: Vec<ExcusedEvaluationBody>,
}

posting!(NewExcusalBody);

impl NewExcusalBody {
    fn check(&self) -> Result<(), Problem> {
        let reason = Reason { code: EXCUSED.into(), text: self.text.clone() };
        check_reasons(&[reason])
            .map_err(|error| fields::invalid(error.pointer.trim_start_matches("/0"), error.rule))?;
        if self.text.values().any(|text| text.contains('\0')) {
            return Err(fields::invalid("/text", "not contain U+0000"));
        }
        if !(1..=EVALUATIONS_MAX).contains(&self.evaluations.len()) {
            return Err(fields::invalid("/evaluations", "have 1 to 2,000 items"));
        }
        let mut ids = HashSet::new();
        for (i, id) in self.ids()?.into_iter().enumerate() {
            if !ids.insert(id) {
                return Err(fields::invalid(&format!("/evaluations/{i}/id"), "occur once"));
            }
        }
        Ok(())
    }

    /// Returns the ids of the evaluations.
    pub fn ids(&self) -> Result<Vec<String>, Problem> {
        let ids = self.evaluations.iter().enumerate().map(|(i, evaluation)| {
            let pointer = format!("/evaluations/{i}/id");
            uuid(Some(&evaluation.id)).map_err(|_| fields::invalid(&pointer, "be a UUID"))
        });
        ids.collect()
    }
}

/// An excusal.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ExcusalBody {
    /// The id that the creator chose.
    #[schema(format = "uuid")]
    id: String,
    /// The market that contains all its evaluations. Null: any.
    #[schema(required)]
    market: Option<String>,
    /// The status.
    #[schema(value_type = closed_sets::ExcusalStatus)]
    status: String,
    /// The text of the reason, by language.
    text: BTreeMap<String, String>,
    /// The user id of the colleague who scheduled it. Null once the account is erased.
    #[schema(required)]
    created_by: Option<String>,
    /// When it was scheduled.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it is applied, within a minute. Until then it can be cancelled.
    #[schema(format = DateTime)]
    applies_at: String,
    /// When it was applied or cancelled. Null until then.
    #[schema(required, format = DateTime)]
    settled_at: Option<String>,
    /// The number of its evaluations.
    #[schema(minimum = 1)]
    total: i64,
    /// The number of excused evaluations. 0 until it is applied.
    #[schema(minimum = 0)]
    excused: i64,
    /// The number of evaluations that could not be excused. 0 until it is applied.
    #[schema(minimum = 0)]
    refused: i64,
}

/// An evaluation of an excusal.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ExcusalItemBody {
    /// The id of the evaluation.
    #[schema(format = "uuid")]
    evaluation_id: String,
    /// The user id of the rider. Null once the account is erased.
    #[schema(required)]
    user_id: Option<String>,
    /// `excused`, or the code of the error. Null until it is applied.
    #[schema(required, pattern = "^[a-z][a-z0-9_]*$")]
    result: Option<String>,
}

/// An excusal with the result of each evaluation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ExcusalDetail {
    #[serde(flatten)]
    excusal: ExcusalBody,
    /// Its evaluations.
    evaluations: Vec<ExcusalItemBody>,
}

/// A page of excusals.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ExcusalPage {
    /// The excusals.
    pub items: Vec<ExcusalBody>,
    /// The `after` of the next page. Null on the last page.
    #[schema(required)]
    pub next: Option<String>,
}

impl ExcusalBody {
    pub fn of(excusal: Excusal) -> Result<Self, Problem> {
        let instant = |millis| Instant::from_millis(millis).to_string();
        Ok(Self {
            text: serde_json::from_str(&excusal.text).map_err(Problem::internal)?,
            id: excusal.id,
            market: excusal.market,
            status: excusal.status,
            created_by: excusal.user_id,
            created_at: instant(excusal.created_at),
            applies_at: instant(excusal.applies_at),
            settled_at: excusal.settled_at.map(instant),
            total: excusal.total,
            excused: excusal.excused,
            refused: excusal.refused,
        })
    }
}

impl ExcusalDetail {
    pub fn of(excusal: Excusal, items: Vec<ExcusalItem>) -> Result<Self, Problem> {
        let evaluations = items.into_iter().map(|item| ExcusalItemBody {
            evaluation_id: item.evaluation,
            user_id: item.user_id,
            result: item.result,
        });
        let evaluations = evaluations.collect();
        Ok(Self { excusal: ExcusalBody::of(excusal)?, evaluations })
    }
}
