//! One member of a body of events, read name by name; what is wrong with it is collected.

use musette_core::instant::Instant;

use crate::http::json::Json;
use crate::http::problem::{Fault, Problem};

/// Longer names than this name nothing of ours.
const TEXT_CHARS_MAX: usize = 256;
/// Faults that are reported at most; a body of nonsense has thousands.
const FAULTS_MAX: usize = 20;

#[derive(Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    pub fn push(&mut self, pointer: String, expected: &str) {
        if self.0.len() < FAULTS_MAX {
            self.0.push(Fault {
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

pub struct Report<'a> {
    pub place: usize,
    pub json: &'a Json<'a>,
}

impl<'a> Report<'a> {
    pub fn fault(&self, name: &str, expected: &str, faults: &mut Faults) {
        faults.push(format!("/{}/{name}", self.place), expected);
    }

    pub fn text(&self, name: &str, faults: &mut Faults) -> Option<&'a str> {
        match self.json.get(name) {
            // Most need not be counted.
            Some(Json::Text(text))
                if !text.is_empty()
                    && (text.len() <= TEXT_CHARS_MAX || text.chars().count() <= TEXT_CHARS_MAX) =>
            {
                Some(text)
            }
            _ => {
                self.fault(name, "a text of 1 to 256 characters", faults);
                None
            }
        }
    }

    /// A number is as good as its text, as it is when flags are evaluated.
    pub fn unit(&self, faults: &mut Faults) -> Option<String> {
        match self.json.get("unit") {
            Some(Json::Int(n)) => Some(n.to_string()),
            _ => self.text("unit", faults).map(str::to_owned),
        }
    }

    pub fn count(&self, name: &str, faults: &mut Faults) -> Option<i64> {
        match self.json.get(name) {
            Some(Json::Int(n)) if (0..=i64::from(u32::MAX)).contains(n) => Some(*n),
            _ => {
                self.fault(name, "a whole number from 0 up", faults);
                None
            }
        }
    }

    pub fn number(&self, name: &str, faults: &mut Faults) -> Option<f64> {
        /// Squares of larger ones do not add up.
        const MAX: f64 = 1e100;
        let number = match self.json.get(name) {
            Some(Json::Int(n)) => Some(*n as f64),
            Some(Json::Float(n)) if n.abs() <= MAX => Some(*n),
            _ => None,
        };
        if number.is_none() {
            self.fault(name, "a number of at most 1e100", faults);
        }
        number
    }

    pub fn instant(&self, name: &str, faults: &mut Faults) -> Option<Instant> {
        let instant = match self.json.get(name) {
            Some(Json::Text(text)) => Instant::parse(text).ok(),
            _ => None,
        };
        if instant.is_none() {
            self.fault(name, "an RFC 3339 date and time with an offset", faults);
        }
        instant
    }
}
