//! A version as lists and changes answer it: who saved it, why, and what it changed.

use musette_core::instant::Instant;
use musette_store::{ChangedObject, FlagVersion};
use serde::Serialize;

use crate::app::App;
use crate::closed_sets;
use crate::http::problem::Problem;

/// Objects of one version that a list names.
const OBJECTS_MAX: i64 = 20;

/// A saved version of a configuration, without its document.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct VersionBody {
    /// The environment.
    environment: String,
    /// The number of the version.
    #[schema(minimum = 1)]
    pub version: i64,
    /// Who saved it.
    #[schema(value_type = closed_sets::VersionActor)]
    actor: &'static str,
    /// The user id of the person who saved it. Absent if nobody did, or the person is not known any
    /// more.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// The name of that person. Absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    author_name: Option<String>,
    /// Why it was saved. Absent if nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 1000)]
    comment: Option<String>,
    /// When it was saved.
    #[schema(format = DateTime)]
    created_at: String,
    /// What it changed, by section and key: at most 20 objects.
    #[schema(max_items = 20)]
    objects: Vec<ChangedObjectBody>,
    /// How many objects it changed.
    #[schema(minimum = 0)]
    objects_total: i64,
}

/// An object of a configuration that a version changed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ChangedObjectBody {
    /// The list of the document that it stands in, or `settings`.
    #[schema(value_type = closed_sets::ConfigurationSection)]
    section: String,
    /// The key of the object.
    key: String,
    /// What the version did to it.
    #[schema(value_type = closed_sets::ObjectChange)]
    change: String,
    /// The names of the members that differ. Empty unless the object was changed.
    fields: Vec<String>,
}

impl From<FlagVersion> for VersionBody {
    fn from(it: FlagVersion) -> Self {
        Self {
            environment: it.environment,
            version: it.version,
            actor: match (it.has_author, it.by_command) {
                (false, _) => "schedule",
                (true, true) => "command",
                (true, false) => "person",
            },
            author: it.author,
            author_name: it.author_name,
            comment: it.comment,
            created_at: Instant::from_millis(it.created_at).to_string(),
            objects: Vec::new(),
            objects_total: 0,
        }
    }
}

impl From<ChangedObject> for ChangedObjectBody {
    fn from(it: ChangedObject) -> Self {
        let fields = it.fields.split_whitespace().map(str::to_owned).collect();
        Self { section: it.section, key: it.key, change: it.change, fields }
    }
}

/// The versions with what they changed.
pub async fn bodies(
    app: &App,
    environment: &str,
    versions: Vec<FlagVersion>,
) -> Result<Vec<VersionBody>, Problem> {
    let numbers = || versions.iter().map(|it| it.version);
    let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    let objects = app.store.flag_version_objects(environment, first, last, OBJECTS_MAX).await?;
    let mut bodies: Vec<_> = versions.into_iter().map(VersionBody::from).collect();
    for it in objects {
        if let Some(body) = bodies.iter_mut().find(|body| body.version == it.version) {
            body.objects.push(it.object.into());
            body.objects_total = it.total;
        }
    }
    Ok(bodies)
}
