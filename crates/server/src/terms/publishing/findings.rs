//! Obstacles to the publication of a document, and the reasons with which an admin publishes it
//! nevertheless.

use std::fmt;

use crate::platform::closed_sets;
use musette_render::{Concern, Finding};
use serde::{Deserialize, Serialize};

const REASON_CHARS_MAX: usize = 200;

/// Content that the page images of a document lack, or active content.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DocumentFinding {
    /// The kind of the finding.
    #[schema(value_type = closed_sets::FindingKind)]
    pub kind: String,
    /// The consequence of the finding.
    #[schema(value_type = closed_sets::FindingConcern)]
    pub concern: Concern,
    /// The page, counted from 1. Absent if the finding concerns the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub page: Option<u32>,
    /// The name of the field, font, picture or file in the document, or else its position. It may
    /// be empty.
    pub name: String,
    /// A description of the finding, as an English sentence.
    pub detail: String,
}

impl From<&Finding> for DocumentFinding {
    fn from(finding: &Finding) -> Self {
        Self {
            kind: finding.kind.code().to_owned(),
            concern: finding.kind.concern(),
            page: finding.page,
            name: finding.name.clone(),
            detail: capitalised(&finding.to_string()),
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    format!("{}{}.", first.into_iter().flatten().collect::<String>(), letters.as_str())
}

/// The reasons for publishing a document despite its obstacles. They remain in the audit
/// permanently.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    pub unreadable: Option<String>,
    pub active_content: Option<String>,
}

pub fn is_reason(text: &str) -> bool {
    text.chars().count() <= REASON_CHARS_MAX
        && !text.trim().is_empty()
        && !text.chars().any(char::is_control)
}

/// Formats the ID of the published term with the reasons, for the audit.
impl Reasons {
    pub fn of_term(&self, id: i64) -> String {
        let named =
            [("unreadable_ok", &self.unreadable), ("active_content_ok", &self.active_content)];
        let given_reasons =
            named.iter().filter_map(|(name, reason)| Some((name, reason.as_ref()?)));
        let reasons: String =
            given_reasons.map(|(name, reason)| format!("; {name}: {reason}")).collect();
        format!("{id}{reasons}")
    }
}

/// An obstacle to a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// `unreadable_document` or `active_content`.
    pub code: &'static str,
    pub page: Option<u32>,
    pub detail: String,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

/// Returns the obstacles for which no reason is given.
pub fn obstacles(
    undrawn: Option<&str>,
    findings: &[DocumentFinding],
    reasons: &Reasons,
) -> Vec<Obstacle> {
    let mut obstacles: Vec<Obstacle> = Vec::new();
    if let (Some(detail), None) = (undrawn, &reasons.unreadable) {
        obstacles.push(Obstacle { code: UNREADABLE, page: None, detail: detail.to_owned() });
    }
    obstacles.extend(findings.iter().filter_map(|finding| {
        let (code, reason) = match finding.concern {
            Concern::Missing => (UNREADABLE, &reasons.unreadable),
            Concern::Active => (ACTIVE, &reasons.active_content),
            Concern::Remark => return None,
        };
        let obstacle = Obstacle { code, page: finding.page, detail: finding.detail.clone() };
        reason.is_none().then_some(obstacle)
    }));
    obstacles
}

pub const UNREADABLE: &str = "unreadable_document";
pub const ACTIVE: &str = "active_content";
