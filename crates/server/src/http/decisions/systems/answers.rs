//! Descriptions, drafts and versions in responses.

use musette_core::decisions::systems::{SystemDefinition, SystemVersion, differences};
use musette_core::instant::Instant;
use musette_store::SystemDraft;
use serde::Serialize;

use super::body::{SystemBody, SystemChangeBody};
use crate::platform::closed_sets;

/// A system in a list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SystemSummary {
    /// The key of the system.
    #[schema(pattern = "^[a-z][a-z0-9-]{0,62}$")]
    pub key: String,
    /// The name of the version in effect, of the newest version if none is in effect, or of the
    /// draft if none is published.
    pub name: String,
    /// `monitoring`: the system monitors work. `decision`: it makes or supports decisions.
    #[schema(value_type = closed_sets::SystemKind)]
    pub kind: &'static str,
    /// The codes of the markets in which the system is used. Empty: everywhere.
    pub markets: Vec<String>,
    /// True if the system has a draft.
    pub has_draft: bool,
    /// The number of published versions.
    #[schema(minimum = 0)]
    pub versions: usize,
    /// The number of the version in effect. Null if none is in effect.
    #[schema(required, minimum = 1)]
    pub version_in_effect: Option<i64>,
    /// The time at which the next version takes effect. Null if none is scheduled.
    #[schema(required, format = DateTime)]
    pub next_effective_from: Option<String>,
}

/// The systems of the register.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SystemList {
    /// The systems with a draft or a published version, by key.
    pub items: Vec<SystemSummary>,
}

/// A description that is not published yet.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SystemDraftBody {
    /// The revision of the draft. It is also the ETag for `If-Match`.
    #[schema(minimum = 1)]
    pub revision: i64,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// The user id of the author of the last change. Absent once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_by: Option<String>,
    /// The differences from the newest published version. Empty if there is none.
    pub changes: Vec<SystemChangeBody>,
    #[serde(flatten)]
    pub body: SystemBody,
}

/// A published version of a description. It never changes.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SystemVersionBody {
    /// The key of the system.
    #[schema(pattern = "^[a-z][a-z0-9-]{0,62}$")]
    pub key: String,
    /// The number of the version, counted from 1.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The time at which the version takes effect.
    #[schema(format = DateTime)]
    pub effective_from: String,
    /// The time of the publication.
    #[schema(format = DateTime)]
    pub published_at: String,
    /// The SHA-256 of the description in its canonical form (RFC 8785), in lower-case hexadecimal.
    /// The log entry `system.published` has it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// The differences from the previous version. Empty for the first one.
    pub changes: Vec<SystemChangeBody>,
    #[serde(flatten)]
    pub body: SystemBody,
}

/// A system with its draft and its versions.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SystemHistory {
    /// The key of the system.
    #[schema(pattern = "^[a-z][a-z0-9-]{0,62}$")]
    pub key: String,
    /// The draft. Null if there is none.
    #[schema(required)]
    pub draft: Option<SystemDraftBody>,
    /// The published versions, newest first.
    pub versions: Vec<SystemVersionBody>,
}

fn changes(before: Option<&SystemDefinition>, after: &SystemDefinition) -> Vec<SystemChangeBody> {
    let changes = before.map(|before| differences(before, after)).unwrap_or_default();
    changes.into_iter().map(SystemChangeBody::from).collect()
}

impl SystemDraftBody {
    pub fn new(draft: SystemDraft, newest: Option<&SystemVersion>) -> Self {
        Self {
            revision: draft.revision,
            updated_at: Instant::from_millis(draft.updated_at).to_string(),
            updated_by: draft.updated_by,
            changes: changes(newest.map(|version| &version.definition), &draft.definition),
            body: draft.definition.into(),
        }
    }
}

impl SystemVersionBody {
    pub fn new(version: &SystemVersion, previous: Option<&SystemVersion>) -> Self {
        let definition = &version.definition;
        Self {
            key: version.key.clone(),
            version: version.version,
            effective_from: version.effective_from.to_string(),
            published_at: version.published_at.to_string(),
            sha256: musette_store::system_sha256(definition),
            changes: changes(previous.map(|version| &version.definition), definition),
            body: definition.clone().into(),
        }
    }
}

impl SystemHistory {
    pub fn new(key: String, draft: Option<SystemDraft>, versions: &[SystemVersion]) -> Self {
        let draft = draft.map(|draft| SystemDraftBody::new(draft, versions.last()));
        let previous = std::iter::once(None).chain(versions.iter().map(Some));
        let mut versions: Vec<SystemVersionBody> = versions
            .iter()
            .zip(previous)
            .map(|(version, previous)| SystemVersionBody::new(version, previous))
            .collect();
        versions.reverse();
        Self { key, draft, versions }
    }
}

impl SystemSummary {
    pub fn new(
        versions: &[SystemVersion],
        draft: Option<&SystemDraft>,
        now: Instant,
    ) -> Option<Self> {
        let in_effect = versions.iter().rfind(|version| version.begins_at() <= now);
        let next = versions.iter().map(SystemVersion::begins_at).filter(|at| *at > now).min();
        let shown = in_effect.or(versions.last());
        let key = shown.map(|version| &version.key).or(draft.map(|draft| &draft.key))?;
        let definition = shown.map(|version| &version.definition);
        let definition = definition.or(draft.map(|draft| &draft.definition))?;
        Some(Self {
            key: key.clone(),
            name: definition.name.clone(),
            kind: definition.kind.as_str(),
            markets: definition.markets.clone(),
            has_draft: draft.is_some(),
            versions: versions.len(),
            version_in_effect: in_effect.map(|version| version.version),
            next_effective_from: next.map(|at| at.to_string()),
        })
    }
}
