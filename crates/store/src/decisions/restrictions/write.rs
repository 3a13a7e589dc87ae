//! Writes a change of a restriction with its entry in one transaction.

use musette_core::instant::Instant;

use super::plan::{Loaded, LoadedRow, Plan, RiderRow};
use super::{
    RESTRICTION_RECORDS, RESTRICTIONS, RESTRICTIONS_SUBJECT, RestrictionAction, RestrictionChange,
    RestrictionOutcome,
};
use crate::approvals::Approval;
use crate::approvals::clearance::{Clearance, Cleared, SELECT_NEEDED_APPROVALS, record_bypass};
use crate::approvals::independence::{Author, SELECT_TIES, counted, is_independent};
use crate::db::error::StoreError;
use crate::db::warned::commit;
use crate::db::{Engine, Store, modify};
use crate::decisions::replies::{NewReply, remember_reply, remembered_reply};
use crate::decisions::rules::{RuleSet, SELECT_RULES};
use crate::decisions::write::author_reference;
use crate::decisions::{Randomness, Render, Written};
use crate::log::{LOCK, append, log_end};
use crate::outbox::append_events;

pub(super) const SELECT_RESTRICTION: &str = "SELECT r.person, r.created_at, r.reminded,
    r.proposed_by, r.imposed_by, r.state, s.key, u.locale FROM restrictions AS r
    LEFT JOIN subjects AS s ON s.ref = r.person LEFT JOIN users AS u ON u.subject = r.person
    WHERE r.id = $1";
const SELECT_RIDER: &str = "SELECT u.subject, u.locale, s.key FROM users AS u
    JOIN subjects AS s ON s.ref = u.subject WHERE u.id = $1";
const ON_CONFLICT: &str = "WHERE true ON CONFLICT (id) DO UPDATE SET status = excluded.status,
    version = excluded.version, place = excluded.place, starts_at = excluded.starts_at,
    ends_at = excluded.ends_at, closes_at = excluded.closes_at, answer_due = excluded.answer_due,
    reminded = excluded.reminded, imposed_by = excluded.imposed_by, state = excluded.state,
    review = excluded.review";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_RESTRICTION, SELECT_RIDER];

/// Stores what the plan has collected: restrictions, entries and records. Expands inside the
/// transaction.
macro_rules! store_restrictions {
    ($store:expr, $tx:expr, $end:expr, $plan:expr) => {{
        if $plan.entries.is_empty() {
            None
        } else {
            sqlx::query($crate::decisions::restrictions::write::upsert($store.engine()))
                .bind($crate::db::batch::json(&$plan.rows))
                .execute(&mut *$tx)
                .await?;
            let appended = append!($store, $tx, $end, &$plan.entries);
            $plan.place_records(&appended);
            sqlx::query(RESTRICTION_RECORDS.insert($store.engine()))
                .bind($crate::db::batch::json(&$plan.records))
                .execute(&mut *$tx)
                .await?;
            Some(appended)
        }
    }};
}
pub(super) use store_restrictions;

/// Checks the approvals of a restriction that is imposed, inside the transaction. An approval by the
/// decider does not count. Returns the event of a bypass.
macro_rules! clear_restriction {
    ($tx:expr, $change:expr, $state:expr, $plan:expr, $now:expr) => {{
        let scope = $state.content.kind.as_str();
        let needed: Option<i64> = sqlx::query_scalar(SELECT_NEEDED_APPROVALS)
            .bind(RESTRICTIONS_SUBJECT)
            .bind(scope)
            .fetch_optional(&mut *$tx)
            .await?;
        let needed = needed.unwrap_or(0);
        let sha256 = $plan.approved_sha256.as_deref();
        let votes = sha256.map(|sha256| (RESTRICTIONS_SUBJECT, $state.id.as_str(), sha256));
        let mut count = 0;
        if let (true, Some((kind, id, sha256))) = (needed > 0, votes) {
            let approvals = counted!(&mut *$tx, kind, id, sha256);
            let subject = $change.author.subject.clone().unwrap_or_default();
            let decider = [Author { subject, begun_at: $now.millis() }];
            let is_other =
                |approval: &&Approval| is_independent(&approval.subject, &decider, &$plan.ties);
            count = i64::try_from(approvals.iter().filter(is_other).count()).unwrap_or(i64::MAX);
        }
        let cleared = Cleared { kind: RESTRICTIONS_SUBJECT, scope, votes };
        let clearance = Clearance::ByRules($change.bypass.as_ref());
        record_bypass!($tx, clearance, cleared, needed, count, $now)
    }};
}

pub(super) fn upsert(engine: Engine) -> sqlx::AssertSqlSafe<String> {
    let sqlx::AssertSqlSafe(insert) = RESTRICTIONS.insert(engine);
    sqlx::AssertSqlSafe(format!("{insert} {ON_CONFLICT}"))
}

impl Store {
    /// Makes a change with its entry in one transaction. `render` returns status and body of the
    /// answer, which is remembered with `reply`.
    pub async fn change_restriction(
        &self,
        change: &RestrictionChange,
        reply: Option<&NewReply>,
        render: Render<'_, RestrictionOutcome>,
        random: Randomness,
        now: Instant,
    ) -> Result<Written<RestrictionOutcome>, StoreError> {
        let author = Some(&change.author);
        modify!(self, |pool| {
            let mut connection = pool.acquire().await?;
            let mut tx = sqlx::Connection::begin(&mut *connection).await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            remembered_reply!(tx, reply);
            let mut end = log_end!(self, tx);
            let mut plan = Plan::new(random, now, end.instant(now));
            plan.rules = RuleSet::of(sqlx::query_as(SELECT_RULES).fetch_all(&mut *tx).await?);
            plan.ties = sqlx::query_as(SELECT_TIES).fetch_all(&mut *tx).await?;
            plan.reference = author_reference!(tx, author, random).map(|(_, reference)| reference);
            let outcome = match &change.action {
                RestrictionAction::Create(new) => {
                    let rider: Option<RiderRow> = sqlx::query_as(SELECT_RIDER)
                        .bind(&new.user_id)
                        .fetch_optional(&mut *tx)
                        .await?;
                    match rider {
                        Some(rider) => plan.create(change, new, rider)?,
                        None => RestrictionOutcome::UnknownUser,
                    }
                }
                RestrictionAction::Request(request) => {
                    let row: Option<LoadedRow> = sqlx::query_as(SELECT_RESTRICTION)
                        .bind(&change.id)
                        .fetch_optional(&mut *tx)
                        .await?;
                    match row.map(Loaded::of).transpose()?.flatten() {
                        Some(loaded) => plan.request(change, request, loaded)?,
                        None => RestrictionOutcome::Unknown,
                    }
                }
            };
            if let RestrictionOutcome::Created(state) | RestrictionOutcome::Changed(state) =
                &outcome
                && change.imposes()
            {
                plan.events.extend(clear_restriction!(tx, change, state, plan, now));
            }
            let appended = store_restrictions!(self, tx, end, plan);
            remember_reply!(tx, reply, render(&outcome), now);
            let last = append_events!(self, tx, plan.events);
            commit!(connection, tx, LOCK);
            appended.into_iter().for_each(|appended| self.cache_end(appended));
            self.events_appended(last);
            Ok(Written::Done(outcome))
        })
    }
}
