use musette_core::instant::Instant;
use serde_json::json;

use crate::db::batch::{json, table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::outbox::NewEvent;

table! {
    struct ObjectRow in "flag_version_objects" as VERSION_OBJECTS {
        environment: String,
        version: i64,
        section: String,
        key: String,
        change: String,
        fields: String,
    }
}

/// The unique key of a row.
const UNIQUE_KEY: &str = "environment, version, section, key";
/// Selects changed objects by version, at most as many of each version as a page shows.
const SELECT_OBJECTS: &str = "SELECT version, section, key, change, fields, total FROM (
        SELECT version, section, key, change, fields,
            row_number() OVER (PARTITION BY version ORDER BY section, key) AS place,
            count(*) OVER (PARTITION BY version) AS total
        FROM flag_version_objects
        WHERE environment = $1 AND version BETWEEN $2 AND $3 AND section <> ''
    ) AS objects WHERE place <= $4 ORDER BY version DESC, place";
const SELECT_VERSIONS_WITHOUT_OBJECTS: &str =
    "SELECT v.environment, v.version FROM flag_versions AS v
    WHERE NOT EXISTS (SELECT 1 FROM flag_version_objects AS o
        WHERE o.environment = v.environment AND o.version = v.version)
    ORDER BY v.environment, v.version LIMIT $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_OBJECTS, SELECT_VERSIONS_WITHOUT_OBJECTS];

/// One object of a configuration that a version changed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ChangedObject {
    /// The list of the document that contains it, or `settings`.
    pub section: String,
    /// The key of the object.
    pub key: String,
    /// `added`, `removed`, `changed`, `switched_on` or `switched_off`.
    pub change: String,
    /// Names of the changed members, separated by spaces.
    pub fields: String,
}

/// A changed object and the version that changed it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct VersionObject {
    /// The version.
    pub version: i64,
    /// The object.
    #[sqlx(flatten)]
    pub object: ChangedObject,
    /// How many objects the version changed.
    pub total: i64,
}

/// Creates the event of a saved version.
pub(super) fn event(
    environment: &str,
    version: i64,
    objects: &[ChangedObject],
    now: Instant,
) -> NewEvent {
    let changed: Vec<_> = objects
        .iter()
        .map(
            |object| json!({"section": object.section, "key": object.key, "change": object.change}),
        )
        .collect();
    let data = json!({"environment": environment, "version": version, "objects": changed});
    NewEvent::new("flag.changed", now, &data)
}

/// Serializes the rows of a version as JSON; a version without changes gets one row that states
/// this.
pub(super) fn rows(environment: &str, version: i64, objects: &[ChangedObject]) -> String {
    let nothing = [ChangedObject {
        section: String::new(),
        key: String::new(),
        change: "nothing".to_owned(),
        fields: String::new(),
    }];
    let objects = if objects.is_empty() { &nothing[..] } else { objects };
    let rows = objects.iter().cloned().map(|object| ObjectRow {
        environment: environment.to_owned(),
        version,
        section: object.section,
        key: object.key,
        change: object.change,
        fields: object.fields,
    });
    json(&rows.collect::<Vec<_>>())
}

impl Store {
    /// Returns what the versions from `first` to `last` changed, the newest version first, up to
    /// `limit` objects of each.
    pub async fn flag_version_objects(
        &self,
        environment: &str,
        first: i64,
        last: i64,
        limit: i64,
    ) -> Result<Vec<VersionObject>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_OBJECTS)
            .bind(environment)
            .bind(first)
            .bind(last)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns versions whose changed objects are not recorded yet: name of the environment and
    /// number.
    pub async fn flag_versions_without_objects(
        &self,
        limit: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_VERSIONS_WITHOUT_OBJECTS)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Records the objects that a version changed; does nothing if another node was faster.
    pub async fn store_flag_version_objects(
        &self,
        environment: &str,
        version: i64,
        objects: &[ChangedObject],
    ) -> Result<(), StoreError> {
        let insert = VERSION_OBJECTS.insert_new(self.engine(), UNIQUE_KEY);
        modify!(self, |pool| sqlx::query(insert)
            .bind(rows(environment, version, objects))
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}
