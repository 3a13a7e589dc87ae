//! Records that a person opened a notice, with its entry in one transaction.

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, NoticeOpened, NoticeOpenedType, V1};
use musette_core::terms::TermId;
use serde_json::json;

use crate::db::batch::{json as to_json, table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::decisions::write::SELECT_AUTHOR;
use crate::log::text::EntryText;
use crate::log::{LOCK, NewEntry, append, corrupt, log_end, named, subject_key};
use crate::outbox::{NewEvent, append_events};

table! {
    struct OpeningRow in "notice_openings" as OPENINGS {
        person: String,
        term_id: i64,
        sha256: String,
        locale: Option<String>,
        opened_at: i64,
        recorded_at: i64,
        log: i64,
        idx: i64,
    }
}

const SELECT_OPENING: &str = "SELECT term_id, sha256, locale, opened_at, recorded_at
    FROM notice_openings WHERE person = $1 AND term_id = $2";
const SELECT_RECEIPTS: &str = "SELECT o.term_id, o.sha256, o.locale, o.opened_at, o.recorded_at,
    o.log, o.idx, e.entry, s.key FROM notice_openings AS o
    JOIN log_entries AS e ON e.log = o.log AND e.idx = o.idx
    JOIN subjects AS s ON s.ref = o.person
    WHERE o.person = $1 AND o.recorded_at <= $2 ORDER BY o.recorded_at, o.term_id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_OPENING, SELECT_RECEIPTS];

/// A person opens a notice.
#[derive(Debug, Clone)]
pub struct NewNoticeOpening<'a> {
    /// Subject of the person.
    pub person: &'a str,
    /// ID of the exact version.
    pub term: TermId,
    /// SHA-256 of the document that was shown.
    pub sha256: &'a str,
    /// The language of the screen, as the log stores it.
    pub locale: Option<&'a str>,
    /// The time by the clock of the device.
    pub opened_at: Instant,
}

/// A recorded opening.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct NoticeOpening {
    /// ID of the exact version.
    pub term_id: TermId,
    /// SHA-256 of the document that was shown.
    pub sha256: String,
    /// The language of the screen.
    pub locale: Option<String>,
    /// The time by the clock of the device, in milliseconds since 1970.
    pub opened_at: i64,
    /// The time by the clock of the server, in milliseconds since 1970.
    pub recorded_at: i64,
}

/// A recorded opening with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeOpeningReceipt {
    /// The opening.
    pub opening: NoticeOpening,
    /// ID of the log.
    pub log: i64,
    /// Position of the entry in its log.
    pub index: u64,
    /// Canonical text of the entry.
    pub entry: String,
    /// The C2SP `tlog-proof@v1` of the entry.
    pub proof: String,
    /// The key that links the entry to the person, in base64url.
    pub subject_key: String,
}

#[derive(sqlx_macros::FromRow)]
struct ReceiptRow {
    #[sqlx(flatten)]
    opening: NoticeOpening,
    log: i64,
    idx: i64,
    entry: EntryText,
    key: String,
}

fn entry(new: &NewNoticeOpening<'_>, subject: String, at: Instant) -> Result<NewEntry, StoreError> {
    let entry = Entry::NoticeOpened(NoticeOpened {
        locale: new.locale.map(str::to_owned),
        opened_at: new.opened_at.to_string(),
        recorded_at: at.to_string(),
        sha256: new.sha256.to_owned(),
        subject,
        terms_and_conditions_id: new.term,
        kind: NoticeOpenedType::NoticeOpened,
        v: V1,
    });
    named(&entry, None)
}

impl Store {
    /// Records that a person opened a notice. Returns the opening, and whether it is new: the first
    /// one stays. `None` if the person was erased.
    pub async fn open_notice(
        &self,
        new: &NewNoticeOpening<'_>,
        now: Instant,
    ) -> Result<Option<(NoticeOpening, bool)>, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let stored: Option<NoticeOpening> = sqlx::query_as(SELECT_OPENING)
                .bind(new.person)
                .bind(new.term)
                .fetch_optional(&mut *tx)
                .await?;
            if let Some(stored) = stored {
                return Ok(Some((stored, false)));
            }
            let person: Option<(String, String)> =
                sqlx::query_as(SELECT_AUTHOR).bind(new.person).fetch_optional(&mut *tx).await?;
            let Some((key, user_id)) = person else { return Ok(None) };
            let mut end = log_end!(self, tx);
            let at = end.instant(now);
            let entry = entry(new, subject_key(&key)?.subject(&user_id), at)?;
            let appended = append!(self, tx, end, &[entry]);
            let row = OpeningRow {
                person: new.person.to_owned(),
                term_id: new.term,
                sha256: new.sha256.to_owned(),
                locale: new.locale.map(str::to_owned),
                opened_at: new.opened_at.millis(),
                recorded_at: at.millis(),
                log: appended.log(),
                idx: appended.previous(),
            };
            sqlx::query(OPENINGS.insert(self.engine()))
                .bind(to_json(std::slice::from_ref(&row)))
                .execute(&mut *tx)
                .await?;
            let data = json!({"term_id": new.term, "opened_at": new.opened_at.to_string()});
            let event = NewEvent::new("notice.opened", at, &data).for_user(user_id);
            let last = append_events!(self, tx, vec![event]);
            tx.commit().await?;
            self.cache_end(appended);
            self.events_appended(last);
            let OpeningRow { term_id, sha256, locale, opened_at, recorded_at, .. } = row;
            Ok(Some((NoticeOpening { term_id, sha256, locale, opened_at, recorded_at }, true)))
        })
    }

    /// Returns the notices that a person has opened until then, with their proofs, oldest first.
    pub async fn opening_receipts_of(
        &self,
        person: &str,
        until: Instant,
    ) -> Result<Vec<NoticeOpeningReceipt>, StoreError> {
        let rows: Vec<ReceiptRow> = read!(self, |pool| sqlx::query_as(SELECT_RECEIPTS)
            .bind(person)
            .bind(until.millis())
            .fetch_all(pool)
            .await)?;
        let mut receipts = Vec::with_capacity(rows.len());
        for row in rows {
            let index = u64::try_from(row.idx).map_err(corrupt)?;
            receipts.push(NoticeOpeningReceipt {
                opening: row.opening,
                log: row.log,
                index,
                entry: row.entry.into(),
                proof: self.proof(row.log, index).await?,
                subject_key: subject_key(&row.key)?.to_base64url(),
            });
        }
        Ok(receipts)
    }
}
