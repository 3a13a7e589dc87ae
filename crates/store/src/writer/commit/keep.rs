//! Writes the rows of a batch: on SQLite a statement for each table, in one text
//! (docs/decisions/0037); on PostgreSQL one statement for all of them, with the rows as arrays.
//! There, each additional statement is a round trip, and text that the server has to parse costs
//! more than the rows (docs/decisions/0028).

use std::borrow::Cow;
use std::sync::LazyLock;

use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::sqlite::SqliteConnection;
use sqlx::{Arguments as _, AssertSqlSafe};

use super::plan::Plan;
use super::{
    ConsentRow, DECISIONS, IDEMPOTENCY, IdempotencyRow, SET_NEXT_SEQ, SUBMISSIONS, SubmissionRow,
};
use crate::db::Engine;
use crate::db::batch::{Row, json};
use crate::db::error::StoreError;
use crate::log::{Appended, ENTRIES, INSERT_HEAD, NewEntryRow, UPSERT_TILE};
use crate::outbox::{NewEvent, RESERVE_NUMBERS, rows};
use crate::people::SUBJECTS;

/// A connection that writes all rows of a batch.
pub(super) trait WriteBatch {
    /// Writes all rows and returns the number of the last event.
    async fn write_batch(
        &mut self,
        plan: &Plan<'_>,
        appended: &Appended,
        events: Vec<NewEvent>,
    ) -> Result<i64, StoreError>;
}

impl WriteBatch for SqliteConnection {
    async fn write_batch(
        &mut self,
        plan: &Plan<'_>,
        appended: &Appended,
        events: Vec<NewEvent>,
    ) -> Result<i64, StoreError> {
        let tiles: Vec<_> = appended.tiles().collect();
        let event_count = count(&events);
        let cached = STATEMENTS.get(tiles.len()).map(|sql| Cow::from(sql.as_str()));
        let sql = cached.unwrap_or_else(|| statements(tiles.len()).into());
        let mut query = sqlx::query_scalar(AssertSqlSafe(sql))
            .bind(json(&plan.subjects))
            .bind(json(&plan.submissions))
            .bind(json(&plan.decisions()))
            .bind(json(&plan.idempotency))
            .bind(json(&appended.rows(Engine::Sqlite, &plan.logged)));
        for (tile, bytes) in tiles {
            query = query
                .bind(appended.log())
                .bind(i64::from(tile.level))
                .bind(i64::try_from(tile.index).unwrap_or(i64::MAX))
                .bind(i64::from(tile.width))
                .bind(bytes);
        }
        let rows: Vec<i64> = query
            .bind(appended.log())
            .bind(appended.size())
            .bind(appended.previous())
            .bind(appended.checkpoint())
            .bind(plan.next_seq)
            .bind(event_count)
            // Numbered backwards from the last event, whose number only the database knows.
            .bind(json(&rows(0, events)))
            .fetch_all(self)
            .await?;
        Ok(*rows.first().ok_or(sqlx::Error::RowNotFound)?)
    }
}

/// Inserts the events. Their numbers are relative to the one that [`RESERVE_NUMBERS`] has just
/// returned.
pub(crate) const INSERT_EVENTS: &str = "INSERT INTO outbox (seq, at, kind, user_id, data, trace)
    SELECT outbox_head.seq + (value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
    FROM jsonb_each($1), outbox_head WHERE outbox_head.id = 1";

/// The statements by number of tiles, so that the text is not built again for each batch.
static STATEMENTS: LazyLock<[String; 5]> = LazyLock::new(|| std::array::from_fn(statements));

/// Returns the statements of SQLite in one text: the driver passes each text to another thread and
/// waits for it, which takes two context switches.
fn statements(tiles: usize) -> String {
    let tables = [&SUBJECTS, &SUBMISSIONS, &DECISIONS, &IDEMPOTENCY, &ENTRIES];
    let inserts = tables.map(|table| table.insert(Engine::Sqlite).0);
    let rest = [INSERT_HEAD, SET_NEXT_SEQ, RESERVE_NUMBERS, INSERT_EVENTS];
    let all = inserts.iter().map(String::as_str);
    let all = all.chain(std::iter::repeat_n(UPSERT_TILE, tiles)).chain(rest);
    all.map(positional).collect::<Vec<_>>().join(";")
}

/// Replaces numbered parameters by positional ones, which continue from one statement to the next.
fn positional(sql: &str) -> String {
    (1..=5).fold(sql.to_owned(), |sql, number| sql.replace(&format!("${number}"), "?"))
}

fn count<T>(rows: &[T]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

/// Returns the statements that do not insert arrays of a table, with the first parameters. They are
/// those that SQLite runs, with arrays in place of single rows.
fn common_statements() -> String {
    let tiles = UPSERT_TILE.replace(
        "VALUES ($1, $2, $3, $4, $5)",
        "SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])",
    );
    let heads = numbered(INSERT_HEAD, &["$1", "$6", "$7", "$8"]);
    let next_seq = numbered(SET_NEXT_SEQ, &["$9"]);
    let reserved = numbered(RESERVE_NUMBERS, &["$10::bigint"]);
    let (events, _) = INSERT_EVENTS.split_once("SELECT").unwrap_or_default();
    format!(
        "tiles AS ({tiles}), heads AS ({heads}), next_seq AS ({next_seq}), reserved AS ({reserved}),
    events AS ({events} SELECT reserved.seq - $10::bigint + e.place, e.at, e.kind, e.user_id, e.data, e.trace
        FROM reserved, unnest($11::bigint[], $12::text[], $13::text[], $14::text[], $15::text[])
        WITH ORDINALITY AS e(at, kind, user_id, data, trace, place))
    SELECT seq FROM reserved"
    )
}

/// Replaces the parameters `$1`, `$2`, … of a statement.
fn numbered(sql: &str, parameters: &[&str]) -> String {
    let parts = sql.split('$').enumerate().map(|(i, part)| match i {
        0 => part.to_owned(),
        _ => {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = part[..digits].parse().unwrap_or(1);
            format!("{}{}", parameters[number - 1], &part[digits..])
        }
    });
    parts.collect()
}

const COMMON_PARAMETERS: usize = 15;

/// Inserts the arrays of every table, in the order in which they are bound. Foreign keys are
/// checked at the end of the statement, so rows may refer to each other.
static INSERT_BATCH: LazyLock<String> = LazyLock::new(|| {
    let mut bound = COMMON_PARAMETERS;
    let tables = [
        &SUBJECTS,
        SubmissionRow::TABLE,
        ConsentRow::TABLE,
        IdempotencyRow::TABLE,
        NewEntryRow::TABLE,
    ];
    let inserts =
        tables.map(|table| format!("kept_{} AS ({})", table.name, table.insert_arrays(&mut bound)));
    format!("WITH {}, {}", inserts.join(", "), common_statements())
});

#[cfg(test)]
pub(crate) fn insert_batch_sql() -> String {
    INSERT_BATCH.clone()
}

impl WriteBatch for PgConnection {
    async fn write_batch(
        &mut self,
        plan: &Plan<'_>,
        appended: &Appended,
        events: Vec<NewEvent>,
    ) -> Result<i64, StoreError> {
        let arguments = arguments(plan, appended, &events).map_err(sqlx::Error::Encode)?;
        let sql = AssertSqlSafe(INSERT_BATCH.as_str());
        Ok(sqlx::query_scalar_with(sql, arguments).fetch_one(&mut *self).await?)
    }
}

fn arguments(
    plan: &Plan<'_>,
    appended: &Appended,
    events: &[NewEvent],
) -> Result<PgArguments, sqlx::error::BoxDynError> {
    let mut all = PgArguments::default();
    let tiles: Vec<_> = appended.tiles().collect();
    let index = |index| i64::try_from(index).unwrap_or(i64::MAX);
    all.add(appended.log())?;
    all.add(tiles.iter().map(|(tile, _)| i64::from(tile.level)).collect::<Vec<_>>())?;
    all.add(tiles.iter().map(|(tile, _)| index(tile.index)).collect::<Vec<_>>())?;
    all.add(tiles.iter().map(|(tile, _)| i64::from(tile.width)).collect::<Vec<_>>())?;
    all.add(tiles.iter().map(|(_, bytes)| bytes.as_slice()).collect::<Vec<_>>())?;
    all.add(appended.size())?;
    all.add(appended.previous())?;
    all.add(appended.checkpoint())?;
    all.add(plan.next_seq)?;
    all.add(count(events))?;
    all.add(events.iter().map(|event| event.at.millis()).collect::<Vec<_>>())?;
    all.add(events.iter().map(|event| event.kind).collect::<Vec<_>>())?;
    all.add(events.iter().map(|event| event.user_id.as_deref()).collect::<Vec<_>>())?;
    all.add(events.iter().map(|event| event.data.as_str()).collect::<Vec<_>>())?;
    all.add(events.iter().map(|event| event.trace.as_deref()).collect::<Vec<_>>())?;
    debug_assert_eq!(all.len(), COMMON_PARAMETERS, "the number of parameters of common_statements");
    all.add(plan.subjects.iter().map(|(subject, _)| *subject).collect::<Vec<_>>())?;
    all.add(plan.subjects.iter().map(|(_, key)| *key).collect::<Vec<_>>())?;
    SubmissionRow::bind(&plan.submissions, &mut all)?;
    ConsentRow::bind(&plan.consents, &mut all)?;
    IdempotencyRow::bind(&plan.idempotency, &mut all)?;
    NewEntryRow::bind(&appended.rows(Engine::Postgres, &plan.logged), &mut all)?;
    Ok(all)
}
