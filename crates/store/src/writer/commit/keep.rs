//! Writing what a batch decided: on SQLite a statement for each table, in one text (docs/decisions/0037); on PostgreSQL
//! one statement for all of them, whose rows come as arrays. Each statement more is a round trip, and text that the
//! server has to parse costs more there than the rows (docs/decisions/0028).

use std::borrow::Cow;
use std::sync::LazyLock;

use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::sqlite::SqliteConnection;
use sqlx::{Arguments as _, AssertSqlSafe};

use super::plan::Plan;
use super::{
    ADVANCE, ConsentRow, DECISIONS, IDEMPOTENCY, IdempotencyRow, SUBMISSIONS, SubmissionRow,
};
use crate::db::Engine;
use crate::db::batch::{Row, json};
use crate::db::error::StoreError;
use crate::log::{Appended, ENTRIES, KEEP_HEAD, KEEP_TILE, NewEntryRow};
use crate::outbox::{NewEvent, TAKE, rows};
use crate::people::SUBJECTS;

/// A connection that writes all rows of a batch.
pub(super) trait Keep {
    /// Gives the number of the last event.
    async fn keep(
        &mut self,
        plan: &Plan<'_>,
        appended: &Appended,
        events: Vec<NewEvent>,
    ) -> Result<i64, StoreError>;
}

impl Keep for SqliteConnection {
    async fn keep(
        &mut self,
        plan: &Plan<'_>,
        appended: &Appended,
        events: Vec<NewEvent>,
    ) -> Result<i64, StoreError> {
        let tiles: Vec<_> = appended.tiles().collect();
        let taken = count(&events);
        let usual = STATEMENTS.get(tiles.len()).map(|it| Cow::from(it.as_str()));
        let sql = usual.unwrap_or_else(|| statements(tiles.len()).into());
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
            .bind(taken)
            // Numbered back from the last one, which only the database knows.
            .bind(json(&rows(0, events)))
            .fetch_all(self)
            .await?;
        Ok(*rows.first().ok_or(sqlx::Error::RowNotFound)?)
    }
}

/// The event numbers follow the one that [`TAKE`] has just given.
pub(crate) const TELL: &str = "INSERT INTO outbox (seq, at, kind, user_id, data, trace)
    SELECT outbox_head.seq + (value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
    FROM jsonb_each($1), outbox_head WHERE outbox_head.id = 1";

/// By their number of tiles, so that the text is not put together again for each batch.
static STATEMENTS: LazyLock<[String; 5]> = LazyLock::new(|| std::array::from_fn(statements));

/// The statements of SQLite one after the other, in one text: the driver hands each text to another thread and waits
/// for it, which is two changes of context.
fn statements(tiles: usize) -> String {
    let tables = [&SUBJECTS, &SUBMISSIONS, &DECISIONS, &IDEMPOTENCY, &ENTRIES];
    let inserts = tables.map(|table| table.insert(Engine::Sqlite).0);
    let rest = [KEEP_HEAD, ADVANCE, TAKE, TELL];
    let all = inserts.iter().map(String::as_str);
    let all = all.chain(std::iter::repeat_n(KEEP_TILE, tiles)).chain(rest);
    all.map(in_order).collect::<Vec<_>>().join(";")
}

/// Each of these statements has its parameters in their order, which goes on from one statement to the next.
fn in_order(sql: &str) -> String {
    (1..=5).fold(sql.to_owned(), |sql, number| sql.replace(&format!("${number}"), "?"))
}

fn count<T>(rows: &[T]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

/// What is not a table's rows as they are, with the first parameters.
const REST: &str = "tiles AS (INSERT INTO log_tiles (log, level, idx, width, bytes)
        SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
        ON CONFLICT (log, level, idx)
        DO UPDATE SET width = excluded.width, bytes = excluded.bytes),
    heads AS (INSERT INTO log_heads (log, size, previous, checkpoint) VALUES ($1, $6, $7, $8)),
    advanced AS (UPDATE submission_head SET next_seq = $9 WHERE id = 1),
    taken AS (UPDATE outbox_head SET seq = seq + $10::bigint WHERE id = 1 RETURNING seq),
    told AS (INSERT INTO outbox (seq, at, kind, user_id, data, trace)
        SELECT taken.seq - $10::bigint + it.place, it.at, it.kind, it.user_id, it.data, it.trace
        FROM taken, unnest($11::bigint[], $12::text[], $13::text[], $14::text[], $15::text[])
        WITH ORDINALITY AS it(at, kind, user_id, data, trace, place))
    SELECT seq FROM taken";
const REST_PARAMETERS: usize = 15;

/// Every table with its arrays, in the order in which they are bound. Foreign keys are checked when the statement
/// ends, so rows may refer to each other.
static TOGETHER: LazyLock<String> = LazyLock::new(|| {
    let mut bound = REST_PARAMETERS;
    let tables = [
        &SUBJECTS,
        SubmissionRow::TABLE,
        ConsentRow::TABLE,
        IdempotencyRow::TABLE,
        NewEntryRow::TABLE,
    ];
    let inserts =
        tables.map(|table| format!("kept_{} AS ({})", table.name, table.insert_arrays(&mut bound)));
    format!("WITH {}, {REST}", inserts.join(", "))
});

#[cfg(test)]
pub(crate) fn together() -> String {
    TOGETHER.clone()
}

impl Keep for PgConnection {
    async fn keep(
        &mut self,
        plan: &Plan<'_>,
        appended: &Appended,
        events: Vec<NewEvent>,
    ) -> Result<i64, StoreError> {
        let arguments = arguments(plan, appended, &events).map_err(sqlx::Error::Encode)?;
        let sql = AssertSqlSafe(TOGETHER.as_str());
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
    debug_assert_eq!(all.len(), REST_PARAMETERS, "what REST takes");
    all.add(plan.subjects.iter().map(|(subject, _)| *subject).collect::<Vec<_>>())?;
    all.add(plan.subjects.iter().map(|(_, key)| *key).collect::<Vec<_>>())?;
    SubmissionRow::bind(&plan.submissions, &mut all)?;
    ConsentRow::bind(&plan.consents, &mut all)?;
    IdempotencyRow::bind(&plan.idempotency, &mut all)?;
    NewEntryRow::bind(&appended.rows(Engine::Postgres, &plan.logged), &mut all)?;
    Ok(all)
}
