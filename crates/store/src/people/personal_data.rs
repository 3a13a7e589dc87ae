//! The data that the store has about one person, by table, for their copy of all of it (GDPR
//! article 15). A test compares the list with the schema, so that every new table is considered.
//!
//! Not here: decisions with their receipts (`log::case`) and audit entries (`audit::read`).

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::db::error::StoreError;
use crate::db::{Engine, Store, read};
use crate::experiments::exposures::ShortHash;

/// How a column identifies a person.
#[derive(Clone, Copy)]
pub(crate) enum Reference {
    UserId,
    Subject,
}

/// A table with rows of a person.
pub(crate) struct PersonTable {
    pub(crate) name: &'static str,
    column: &'static str,
    by: Reference,
    pub(crate) columns: &'static [&'static str],
    /// A condition for the rows that do not belong to the copy; empty for none.
    except: &'static str,
    /// Columns with secrets and with content of the company, for the test that checks all columns.
    #[cfg(test)]
    pub(crate) without: &'static [&'static str],
}

macro_rules! tables {
    ($($name:ident by $by:ident $column:ident: [$($included:ident),*] without [$($without:ident),*]
        $(except $except:literal)?;)*) => {
        pub(crate) const TABLES: &[PersonTable] = &[$(PersonTable {
            name: stringify!($name),
            column: stringify!($column),
            by: Reference::$by,
            columns: &[$(stringify!($included)),*],
            except: concat!("" $(, $except)?),
            #[cfg(test)]
            without: &[$(stringify!($without)),*],
        }),*];
    };
}

tables! {
    users by UserId id: [id, subject, name, email, phone, created_at, second_factor_due, market, locale]
        without [password_hash];
    user_roles by UserId user_id: [user_id, role] without [];
    subjects by Subject ref: [ref] without [key];
    sessions by UserId user_id: [
        sid, user_id, device, created_at, last_used_at, idle_until, absolute_until, ended_at,
        ended_because, generation, rotated_at, acked_generation, acked_at, repeats, instance,
        method, authenticated_at
    ] without [salt];
    contact_notices by UserId user_id: [user_id, address, locale, changed_at, next_at, tries] without [];
    codes by UserId user_id: [identifier, network, user_id, tries, tries_elsewhere, expires_at]
        without [hash, proof];
    sign_in_links by UserId user_id: [user_id, expires_at] without [hash];
    totp by UserId user_id: [user_id, last_step, used_steps] without [secret];
    identities by UserId user_id: [issuer, subject, user_id] without [];
    known_browsers by UserId user_id: [user_id, seen_at] without [hash];
    people_search by UserId user_id: [user_id, text] without [];
    term_views by Subject subject: [subject, term_id, shown_at, opened_at] without [];
    notice_receptions by Subject person: [person, term_id, channel, received_at] without [];
    notice_openings by Subject person: [
        person, term_id, sha256, locale, opened_at, recorded_at, log, idx
    ] without [];
    push_subscriptions by Subject person: [person, id, endpoint, created_at] without [p256dh, auth];
    claims by Subject subject: [person, submission, subject, recorded_at] without [];
    idempotency by Subject scope: [scope, key, submission, created_at] without [body_sha256];
    evaluations by Subject person: [
        id, person, market, status, version, reference, created_at, place, closes_at, answer_due,
        opened_at, reminded, records, contested, overturned, first_answer_ms, second_answer_ms,
        starts_at
    ] without [body_sha256, state];
    evaluation_records by Subject person: [
        evaluation, position, person, version, is_message, record, log, idx
    ] without [actor, salt];
    evaluation_assignments by Subject person: [evaluation, person, until]
        without [reviewer, version];
    excusals by Subject author: [
        id, author, market, status, created_at, applies_at, settled_at, total, excused, refused
    ] without [body_sha256, text];
    excusal_items by Subject person: [excusal, position, evaluation, person, version, result] without [];
    restrictions by Subject person: [
        id, person, market, kind, status, version, created_at, place, starts_at, ends_at, closes_at,
        answer_due, reminded, review
    ] without [proposed_by, imposed_by, state] except "status = 'PROPOSED'";
    restriction_records by Subject person: [restriction, version, person, record, log, idx]
        without [actor, salt] except "restriction IN (SELECT x.id FROM restrictions AS x
            WHERE x.person = $1 AND x.status = 'PROPOSED')";
    campaigns by Subject created_by: [
        id, term_id, market, status, created_at, created_by, started_at, ended_at
    ] without [body];
    notice_messages by Subject person: [
        id, campaign, step, person, channel, zone, locale, status, reason, next_at, leased_until,
        attempts, in_doubt, repeated, address, sha256, sent_at, settled_at, outcome,
        outcome_status, batch, idx, record
    ] without [salt, leaf];
    notice_opt_outs by Subject person: [person, at] without [];
    replies by Subject person: [person, status, created_at] without [scope, key, request_sha256, body];
    outbox by UserId user_id: [seq, at, kind, user_id, data] without [trace];
    gate_states by UserId user_id: [
        user_id, market, may_work, reasons, restrictions, limitations, changes_at, seq
    ] without [];
    gate_left by UserId user_id: [user_id, market, seq] without [];
    gate_touched by UserId user_id: [id, user_id] without [];
    term_drafts by Subject updated_by: [id, revision, updated_at, updated_by, market, begun_at]
        without [body];
    approvals by Subject approver: [kind, object, approver, sha256, at, comment] without [];
    approval_notices by UserId user_id: [
        purpose, kind, object, user_id, asked_at, next_at, tries, sent_at
    ] without [];
    draft_editors by Subject editor: [draft, editor] without [];
    system_drafts by Subject updated_by: [key, revision, updated_at, updated_by] without [body];
    proposals by Subject author: [
        id, kind, scope, market, author, created_at, status, settled_at, refusal
    ] without [body];
    credential_issues by Subject subject: [subject, part, at, is_shown] without [issued_by];
    flag_versions by Subject author: [environment, version, author, comment, created_at]
        without [document];
    experiment_decisions by Subject author: [
        id, environment, experiment, phase, decision, variation, reason, author, created_at
    ] without [shown];
    flag_changes by Subject author: [
        id, environment, at, base, author, comment, created_at, status, settled_at, version, refusal
    ] without [document];
}

// Uses a CROSS JOIN, which SQLite executes in this order, because the index of either table begins
// with the series.
const SELECT_ASSIGNMENTS: &str =
    "SELECT environment, experiment, variation, assigned_at AS at FROM sticky
    WHERE unit = $1 ORDER BY assigned_at";
const SELECT_EXPOSURES: &str = "SELECT s.environment, s.kind, s.name, s.phase, s.arm, e.at
    FROM series AS s CROSS JOIN exposures AS e WHERE e.series = s.id AND e.unit = $1 ORDER BY e.at";
const SELECT_VALUES: &str = "SELECT s.environment, s.name, m.value, m.at
    FROM series AS s CROSS JOIN metric_values AS m WHERE m.series = s.id AND m.unit = $1 ORDER BY m.at";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_ASSIGNMENTS, SELECT_EXPOSURES, SELECT_VALUES];

/// The assigned variation of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AssignmentRow {
    /// Environment of flags.
    pub environment: String,
    /// Key of the experiment.
    pub experiment: String,
    /// Key of the variation.
    pub variation: String,
    /// When it was assigned, in milliseconds since 1970.
    pub at: i64,
}

/// A counted participation in an experiment or holdout.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StoredExposure {
    /// Environment of flags.
    pub environment: String,
    /// Whether it was an experiment or a holdout.
    pub kind: String,
    /// Key of the experiment or holdout.
    pub name: String,
    /// Phase of the experiment.
    pub phase: i64,
    /// Variation or group.
    pub arm: String,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
}

/// A reported metric value of a person.
#[derive(Debug, Clone, PartialEq, sqlx_macros::FromRow)]
pub struct StoredMetricValue {
    /// Environment of flags.
    pub environment: String,
    /// Key of the metric.
    pub name: String,
    /// The value.
    pub value: f64,
    /// When it was reported, in milliseconds since 1970.
    pub at: i64,
}

/// The data of experiments about a person.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Participation {
    /// Assigned variations.
    pub assignments: Vec<AssignmentRow>,
    /// Counted participations.
    pub exposures: Vec<StoredExposure>,
    /// Values of metrics.
    pub values: Vec<StoredMetricValue>,
}

fn select(table: &PersonTable, engine: Engine) -> AssertSqlSafe<String> {
    let pairs: Vec<String> = table.columns.iter().map(|name| format!("'{name}', {name}")).collect();
    let pairs = pairs.join(", ");
    let row = match engine {
        Engine::Sqlite => format!("json_object({pairs})"),
        Engine::Postgres => format!("json_build_object({pairs})::text"),
    };
    let PersonTable { name, column, except, .. } = table;
    let except = if except.is_empty() { String::new() } else { format!(" AND NOT ({except})") };
    AssertSqlSafe(format!("SELECT {row} FROM {name} WHERE {column} = $1{except} ORDER BY 1"))
}

impl Store {
    /// Returns the rows about the person by table, each an object of its columns, without secrets.
    pub async fn rows_of_person(
        &self,
        user_id: &str,
        subject: &str,
    ) -> Result<BTreeMap<&'static str, Vec<Value>>, StoreError> {
        let mut tables = BTreeMap::new();
        for table in TABLES {
            let key = match table.by {
                Reference::UserId => user_id,
                Reference::Subject => subject,
            };
            let sql = select(table, self.engine());
            let rows: Vec<String> =
                read!(self, |pool| sqlx::query_scalar(sql).bind(key).fetch_all(pool).await)?;
            let rows = rows.iter().map(|row| serde_json::from_str(row)).collect::<Result<_, _>>();
            let rows = rows.map_err(|error| StoreError::Corrupt(error.to_string()))?;
            tables.insert(table.name, rows);
        }
        Ok(tables)
    }

    /// Returns the data of experiments about a person, who is identified by any of these hashes.
    pub async fn participation(&self, units: &[ShortHash]) -> Result<Participation, StoreError> {
        let mut all = Participation::default();
        for unit in units {
            let unit = unit.as_slice();
            let assignments: Vec<AssignmentRow> =
                read!(self, |pool| sqlx::query_as(SELECT_ASSIGNMENTS)
                    .bind(unit)
                    .fetch_all(pool)
                    .await)?;
            let exposures: Vec<StoredExposure> =
                read!(self, |pool| sqlx::query_as(SELECT_EXPOSURES)
                    .bind(unit)
                    .fetch_all(pool)
                    .await)?;
            let values: Vec<StoredMetricValue> =
                read!(self, |pool| sqlx::query_as(SELECT_VALUES).bind(unit).fetch_all(pool).await)?;
            all.assignments.extend(assignments);
            all.exposures.extend(exposures);
            all.values.extend(values);
        }
        Ok(all)
    }
}
