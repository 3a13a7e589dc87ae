//! Parts of bodies that evaluations and restrictions share.

use std::collections::BTreeMap;

use musette_core::decisions::{
    FieldError, Figures, Reason, System, WorkSubject, check_reasons, table::TEXT_CHARS_MAX,
};
use musette_core::instant::Instant;
use serde::{Deserialize, Serialize};

use crate::http::wire::problem::{Problem, ProblemError};

/// Measured values of one piece of work. Each is optional.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FiguresBody {
    /// The planned length in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 10000000)]
    pub planned_minutes: Option<i64>,
    /// The worked time in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 10000000)]
    pub worked_minutes: Option<i64>,
    /// The seconds between the planned and the actual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 10000000)]
    pub late_by_seconds: Option<i64>,
    /// The seconds between the actual and the planned end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 10000000)]
    pub early_by_seconds: Option<i64>,
    /// The seconds worked after the planned end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 10000000)]
    pub overtime_seconds: Option<i64>,
}

/// A reason of a decision.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"code":"late","text":{"en":"Started 12 minutes late"}})))]
pub struct ReasonBody {
    /// A stable code, for programs.
    #[schema(pattern = "^[a-z][a-z0-9_]{0,63}$")]
    pub code: String,
    /// The text for people, by language (BCP 47 tag). At least one; each has at most 1,000
    /// characters.
    pub text: BTreeMap<String, String>,
}

/// The automated system that produced a decision.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DecidingSystemBody {
    /// The name of the system.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// The version of the system.
    #[schema(min_length = 1, max_length = 200)]
    pub version: String,
}

/// The piece of work that an evaluation is about.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
pub struct WorkBody {
    /// The kind of work.
    #[schema(value_type = crate::platform::closed_sets::WorkKind)]
    pub kind: String,
    /// The company's own name of the work, such as the id of a shift.
    #[schema(min_length = 1, max_length = 200)]
    pub reference: String,
    /// The start of the work.
    #[schema(format = DateTime)]
    pub starts_at: String,
    /// The end of the work. Not before its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub ends_at: Option<String>,
    /// The market of the work. Absent: the rider's market. It never changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market: Option<String>,
}

/// Returns a 422 for a member of the body.
pub fn invalid(pointer: &str, rule: &str) -> Problem {
    let fault = ProblemError {
        pointer: pointer.to_owned(),
        code: "invalid_request".into(),
        detail: format!("must {rule}"),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("invalid_request", "The body does not have the right shape.", vec![fault])
}

fn of_fault(pointer: &str, fault: &FieldError) -> Problem {
    invalid(&format!("{pointer}{}", fault.pointer), fault.rule)
}

impl From<FiguresBody> for Figures {
    fn from(body: FiguresBody) -> Self {
        Self {
            planned_minutes: body.planned_minutes,
            worked_minutes: body.worked_minutes,
            late_by_seconds: body.late_by_seconds,
            early_by_seconds: body.early_by_seconds,
            overtime_seconds: body.overtime_seconds,
        }
    }
}

impl From<Figures> for FiguresBody {
    fn from(figures: Figures) -> Self {
        Self {
            planned_minutes: figures.planned_minutes,
            worked_minutes: figures.worked_minutes,
            late_by_seconds: figures.late_by_seconds,
            early_by_seconds: figures.early_by_seconds,
            overtime_seconds: figures.overtime_seconds,
        }
    }
}

impl From<Reason> for ReasonBody {
    fn from(reason: Reason) -> Self {
        Self { code: reason.code, text: reason.text }
    }
}

impl From<System> for DecidingSystemBody {
    fn from(system: System) -> Self {
        Self { name: system.name, version: system.version }
    }
}

/// Checks and converts reasons.
pub fn reasons(bodies: Option<Vec<ReasonBody>>) -> Result<Option<Vec<Reason>>, Problem> {
    let Some(bodies) = bodies else { return Ok(None) };
    let reasons = bodies.into_iter().map(|body| Reason { code: body.code, text: body.text });
    let reasons: Vec<Reason> = reasons.collect();
    check_reasons(&reasons).map_err(|fault| of_fault("/reasons", &fault))?;
    if reasons.iter().any(|reason| reason.text.values().any(|text| text.contains('\0'))) {
        return Err(invalid("/reasons", "not contain U+0000"));
    }
    Ok(Some(reasons))
}

/// Checks and converts the automated system.
pub fn system(body: Option<DecidingSystemBody>) -> Result<Option<System>, Problem> {
    let Some(body) = body else { return Ok(None) };
    let system = System { name: body.name, version: body.version };
    system.check().map_err(|fault| of_fault("/system", &fault))?;
    Ok(Some(system))
}

/// Trims a text of a person, which may have at most 4,000 characters.
pub fn text(pointer: &str, text: Option<String>) -> Result<Option<String>, Problem> {
    let Some(text) = text else { return Ok(None) };
    let text = text.trim();
    if text.chars().count() > TEXT_CHARS_MAX {
        return Err(invalid(pointer, "have at most 4,000 characters"));
    }
    Ok(Some(text.to_owned()))
}

impl WorkBody {
    /// Checks and converts the piece of work, without its market.
    pub fn subject(&self) -> Result<WorkSubject, Problem> {
        let instant = |pointer, text: &str| {
            let instant = Instant::parse(text);
            instant.map(Instant::millis).map_err(|_| invalid(pointer, "be an RFC 3339 timestamp"))
        };
        let starts_at = instant("/subject/starts_at", &self.starts_at)?;
        let ends_at =
            self.ends_at.as_deref().map(|text| instant("/subject/ends_at", text)).transpose()?;
        if ends_at.is_some_and(|end| end < starts_at) {
            return Err(invalid("/subject/ends_at", "not be before starts_at"));
        }
        let (kind, reference) = (self.kind.clone(), self.reference.clone());
        Ok(WorkSubject { kind, reference, starts_at, ends_at })
    }
}
