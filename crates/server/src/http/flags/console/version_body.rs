//! A version in lists and in responses to changes: its author, reason and changed objects.

use musette_core::instant::Instant;
use musette_store::{ChangedObject, FlagVersion};
use serde::Serialize;

use crate::http::wire::problem::{Problem, ProblemError};
use crate::node::app::App;
use crate::platform::closed_sets;

/// The maximum number of changed objects in a list.
const OBJECTS_MAX: i64 = 20;

/// A saved version of a configuration, without its document.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct VersionBody {
    /// The environment.
    environment: String,
    /// The number of the version.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The kind of actor who saved it.
    #[schema(value_type = closed_sets::VersionActor)]
    actor: &'static str,
    /// The user id of the author. Absent if no person saved it, and once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// The name of the author. Absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    author_name: Option<String>,
    /// The reason. Absent if the author gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 1000)]
    comment: Option<String>,
    /// The time at which it was saved.
    #[schema(format = DateTime)]
    created_at: String,
    /// The changed objects by section and key, at most 20.
    #[schema(max_items = 20)]
    objects: Vec<ChangedObjectBody>,
    /// The number of all changed objects.
    #[schema(minimum = 0)]
    objects_total: i64,
    /// Side effects of the change that are not errors, each with its place. Only in the response
    /// to a save; absent if there is nothing. `weights_changed`: the weights of a running experiment
    /// changed within its phase. `waits_for_notice`: the flag serves its off variation until its
    /// notice was served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ProblemError>,
}

/// An object that a version changed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ChangedObjectBody {
    /// The section of the configuration.
    #[schema(value_type = closed_sets::ConfigurationSection)]
    section: String,
    /// The key of the object.
    key: String,
    /// The kind of change.
    #[schema(value_type = closed_sets::ObjectChange)]
    change: String,
    /// The names of the changed members. Empty unless `change` is `changed`.
    fields: Vec<String>,
}

impl From<FlagVersion> for VersionBody {
    fn from(row: FlagVersion) -> Self {
        Self {
            environment: row.environment,
            version: row.version,
            actor: match (row.has_author, row.by_command) {
                (false, _) => "schedule",
                (true, true) => "command",
                (true, false) => "person",
            },
            author: row.author,
            author_name: row.author_name,
            comment: row.comment,
            created_at: Instant::from_millis(row.created_at).to_string(),
            objects: Vec::new(),
            objects_total: 0,
            warnings: Vec::new(),
        }
    }
}

impl From<ChangedObject> for ChangedObjectBody {
    fn from(object: ChangedObject) -> Self {
        let fields = object.fields.split_whitespace().map(str::to_owned).collect();
        Self { section: object.section, key: object.key, change: object.change, fields }
    }
}

/// Returns the versions with their changed objects.
pub async fn bodies(
    app: &App,
    environment: &str,
    versions: Vec<FlagVersion>,
) -> Result<Vec<VersionBody>, Problem> {
    let numbers = || versions.iter().map(|version| version.version);
    let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    let objects = app.store.flag_version_objects(environment, first, last, OBJECTS_MAX).await?;
    let mut bodies: Vec<_> = versions.into_iter().map(VersionBody::from).collect();
    for row in objects {
        if let Some(body) = bodies.iter_mut().find(|body| body.version == row.version) {
            body.objects.push(row.object.into());
            body.objects_total = row.total;
        }
    }
    Ok(bodies)
}
