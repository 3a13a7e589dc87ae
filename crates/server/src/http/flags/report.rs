//! One item of a report. Reads its members by name and collects errors.

use musette_core::instant::Instant;
use musette_core::typed_text::is_blank;

use crate::http::wire::json::Json;
use crate::http::wire::problem::{Problem, ProblemError};

/// The longest text that is accepted. No key or id is longer.
const TEXT_CHARS_MAX: usize = 256;
/// The maximum number of reported errors. An invalid body can have thousands.
const ERRORS_MAX: usize = 20;

#[derive(Default)]
pub struct ProblemErrors(Vec<ProblemError>);

impl ProblemErrors {
    pub fn push(&mut self, pointer: String, expected: &str) {
        if self.0.len() < ERRORS_MAX {
            self.0.push(ProblemError {
                pointer,
                code: "invalid_request".into(),
                detail: expected.to_owned(),
                replaced_by: None,
                page: None,
            });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_problem(self) -> Problem {
        Problem::invalid("invalid_request", "The body does not have the right shape.", self.0)
    }
}

pub struct ReportItem<'a> {
    pub index: usize,
    pub json: &'a Json<'a>,
}

impl<'a> ReportItem<'a> {
    pub fn error(&self, name: &str, expected: &str, errors: &mut ProblemErrors) {
        errors.push(format!("/{}/{name}", self.index), expected);
    }

    pub fn text(&self, name: &str, errors: &mut ProblemErrors) -> Option<&'a str> {
        match self.json.get(name) {
            // Counting characters is needed only if there are too many bytes.
            Some(Json::Text(text))
                if !is_blank(text)
                    && (text.len() <= TEXT_CHARS_MAX || text.chars().count() <= TEXT_CHARS_MAX) =>
            {
                Some(text)
            }
            _ => {
                self.error(name, "must be a string of 1 to 256 characters, and not blank", errors);
                None
            }
        }
    }

    /// Reads the unit. A number counts as its decimal text, as in an evaluation.
    pub fn unit(&self, errors: &mut ProblemErrors) -> Option<String> {
        match self.json.get("unit") {
            Some(Json::Int(n)) => Some(n.to_string()),
            _ => self.text("unit", errors).map(str::to_owned),
        }
    }

    pub fn count(&self, name: &str, errors: &mut ProblemErrors) -> Option<i64> {
        match self.json.get(name) {
            Some(Json::Int(n)) if (0..=i64::from(u32::MAX)).contains(n) => Some(*n),
            _ => {
                self.error(name, "must be an integer of at least 0", errors);
                None
            }
        }
    }

    pub fn number(&self, name: &str, errors: &mut ProblemErrors) -> Option<f64> {
        /// The squares of larger values overflow when they are summed.
        const MAX: f64 = 1e100;
        let number = match self.json.get(name) {
            Some(Json::Int(n)) => Some(*n as f64),
            Some(Json::Float(n)) if n.abs() <= MAX => Some(*n),
            _ => None,
        };
        if number.is_none() {
            self.error(name, "must be a number between -1e100 and 1e100", errors);
        }
        number
    }

    pub fn instant(&self, name: &str, errors: &mut ProblemErrors) -> Option<Instant> {
        let instant = match self.json.get(name) {
            Some(Json::Text(text)) => Instant::parse(text).ok(),
            _ => None,
        };
        if instant.is_none() {
            self.error(name, "must be an RFC 3339 date and time with an offset", errors);
        }
        instant
    }
}
