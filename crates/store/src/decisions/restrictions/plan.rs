//! Applies a change to the restriction that was read under the lock, and collects what must be
//! written.

use musette_core::decisions::restrictions::Restriction;
use musette_core::decisions::restrictions::judge::{
    RestrictionContext, RestrictionRequest, RestrictionSubject, create_restriction, expire,
    judge_restriction,
};
use musette_core::decisions::restrictions::table::{RestrictionAct, RestrictionStatus};
use musette_core::decisions::{System, canonical, commitment};
use musette_core::instant::Instant;
use musette_core::log::subject::SubjectKey;

use super::events;
use super::{
    Meta, NewRestriction, RestrictionChange, RestrictionOutcome, RestrictionRecordRow,
    RestrictionRow, parse_state, row,
};
use crate::approvals::independence::{self, SERVICE_KEY, Tie};
use crate::db::error::StoreError;
use crate::decisions::rules::RuleSet;
use crate::decisions::{Author, Randomness};
use crate::log::append::named;
use crate::log::{Appended, NewEntry, corrupt, subject_key};
use crate::outbox::NewEvent;

/// A row of the query that reads a restriction.
#[derive(sqlx_macros::FromRow)]
pub(super) struct LoadedRow {
    pub(super) person: String,
    pub(super) created_at: i64,
    pub(super) reminded: i64,
    pub(super) proposed_by: Option<String>,
    pub(super) imposed_by: Option<String>,
    pub(super) state: String,
    pub(super) key: Option<String>,
    pub(super) locale: Option<String>,
}

/// A rider.
#[derive(sqlx_macros::FromRow)]
pub(super) struct RiderRow {
    pub(super) subject: String,
    pub(super) locale: Option<String>,
    pub(super) key: String,
}

/// A restriction as it was read.
pub(super) struct Loaded {
    meta: Meta,
    key: SubjectKey,
    state: Restriction,
    locale: Option<String>,
}

impl Loaded {
    pub(super) fn of(row: LoadedRow) -> Result<Option<Self>, StoreError> {
        // Without a key the person is being erased.
        let Some(key) = row.key else { return Ok(None) };
        Ok(Some(Self {
            key: subject_key(&key)?,
            state: parse_state(&row.state)?,
            locale: row.locale,
            meta: Meta {
                person: row.person,
                created_at: row.created_at,
                reminded: row.reminded,
                proposed_by: row.proposed_by,
                imposed_by: row.imposed_by,
            },
        }))
    }
}

/// Everything that a change needs, and what it writes.
pub(super) struct Plan {
    pub(super) random: Randomness,
    pub(super) now: Instant,
    /// The instant of the log's next entry.
    pub(super) at: Instant,
    pub(super) rules: RuleSet,
    /// Which accounts gave access to which, to recognise one person with two accounts.
    pub(super) ties: Vec<Tie>,
    /// The reference of the author in the log.
    pub(super) reference: Option<String>,
    /// The hash whose approvals count for a decision to impose.
    pub(super) approved_sha256: Option<String>,
    pub(super) rows: Vec<RestrictionRow>,
    pub(super) entries: Vec<NewEntry>,
    /// The rows of the entries, without their places in the log.
    pub(super) records: Vec<RestrictionRecordRow>,
    pub(super) events: Vec<NewEvent>,
}

/// Returns whether two accounts are one person. The admin who created a service key did not make its
/// decisions.
fn is_one_person(account: &str, actor: Option<&String>, begun_at: i64, ties: &[Tie]) -> bool {
    let Some(subject) = actor.filter(|actor| !actor.starts_with(SERVICE_KEY)) else { return false };
    let author = independence::Author { subject: subject.clone(), begun_at };
    !independence::is_independent(account, &[author], ties)
}

impl Plan {
    pub(super) fn new(random: Randomness, now: Instant, at: Instant) -> Self {
        Self {
            random,
            now,
            at,
            rules: RuleSet::default(),
            ties: Vec::new(),
            reference: None,
            approved_sha256: None,
            rows: Vec::new(),
            entries: Vec::new(),
            records: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Proposes or imposes a restriction.
    pub(super) fn create(
        &mut self,
        change: &RestrictionChange,
        new: &NewRestriction,
        rider: RiderRow,
    ) -> Result<RestrictionOutcome, StoreError> {
        let language = rider.locale.as_deref().or(change.market_language.as_deref());
        let context = RestrictionContext {
            caller: &change.author.caller,
            is_proposer: false,
            is_imposer: false,
            language,
            rules: self.rules.of_market(new.market.as_deref()),
            at: self.at,
        };
        let of = RestrictionSubject {
            id: change.id.clone(),
            user_id: new.user_id.clone(),
            market: new.market.clone(),
        };
        let state = match create_restriction(of, new.content.clone(), new.act, &context) {
            Ok(state) => state,
            Err(refusal) => return Ok(RestrictionOutcome::Refused(refusal, None)),
        };
        let is_imposed = new.act == RestrictionAct::Impose;
        let author = change.author.subject.clone();
        let meta = Meta {
            person: rider.subject,
            created_at: self.at.millis(),
            reminded: 0,
            proposed_by: author.clone().filter(|_| !is_imposed),
            imposed_by: author.filter(|_| is_imposed),
        };
        let loaded = Loaded { meta, key: subject_key(&rider.key)?, state, locale: rider.locale };
        let system = new.content.system.as_ref();
        self.record(&loaded, None, Some(&change.author), system)?;
        if is_imposed {
            self.events.push(events::imposed(&loaded.state, self.at));
        }
        self.rows.push(row(&loaded.state, &loaded.meta)?);
        Ok(RestrictionOutcome::Created(Box::new(loaded.state)))
    }

    /// Judges a request on an existing restriction. The passing of time is written first.
    pub(super) fn request(
        &mut self,
        change: &RestrictionChange,
        request: &RestrictionRequest,
        loaded: Loaded,
    ) -> Result<RestrictionOutcome, StoreError> {
        let mut loaded = self.expire(loaded)?;
        let account = change.author.subject.as_deref().unwrap_or_default();
        let meta = &loaded.meta;
        let is_of = |actor: &Option<String>| {
            is_one_person(account, actor.as_ref(), meta.created_at, &self.ties)
        };
        let context = RestrictionContext {
            caller: &change.author.caller,
            is_proposer: is_of(&meta.proposed_by),
            is_imposer: is_of(&meta.imposed_by),
            language: loaded.locale.as_deref().or(change.market_language.as_deref()),
            rules: self.rules.of_market(loaded.state.market.as_deref()),
            at: self.at,
        };
        let next = match judge_restriction(&loaded.state, request, &context) {
            Ok(next) => next,
            Err(refusal) => {
                let current = Some(Box::new(loaded.state));
                return Ok(RestrictionOutcome::Refused(refusal, current));
            }
        };
        match request {
            RestrictionRequest::Impose(_) => {
                self.approved_sha256 = Some(request.approved_sha256(&loaded.state));
                loaded.meta.imposed_by.clone_from(&change.author.subject);
            }
            RestrictionRequest::RequestReview { .. } => loaded.meta.reminded = 0,
            _ => {}
        }
        let before = std::mem::replace(&mut loaded.state, next);
        self.record(&loaded, Some(before.status), Some(&change.author), None)?;
        self.events.extend(events::of_request(request, &before, &loaded.state, self.at));
        self.rows.retain(|row| row.id != loaded.state.id);
        self.rows.push(row(&loaded.state, &loaded.meta)?);
        Ok(RestrictionOutcome::Changed(Box::new(loaded.state)))
    }

    /// Ends the restriction if its end has passed.
    pub(super) fn expire(&mut self, mut loaded: Loaded) -> Result<Loaded, StoreError> {
        let Some(next) = expire(&loaded.state, self.now) else { return Ok(loaded) };
        let from = std::mem::replace(&mut loaded.state, next).status;
        self.record(&loaded, Some(from), None, None)?;
        let data = serde_json::json!({});
        self.events.push(events::event("restriction.expired", &loaded.state, data, self.at));
        self.rows.push(row(&loaded.state, &loaded.meta)?);
        Ok(loaded)
    }

    /// Adds the entry and the row of the current state.
    fn record(
        &mut self,
        loaded: &Loaded,
        from: Option<RestrictionStatus>,
        author: Option<&Author>,
        system: Option<&System>,
    ) -> Result<(), StoreError> {
        let entry_id = (self.random.uuid)();
        let mut decided = loaded.state.decided(&entry_id, from, system);
        let actor = author.and_then(|author| author.subject.clone());
        decided.by_ref = actor.as_ref().and(self.reference.clone());
        let record = loaded.state.record(&decided);
        let salt = (self.random.bytes)();
        let hash = commitment(&salt, &record).map_err(corrupt)?;
        self.entries.push(named(&decided.entry(&loaded.key, hash, self.at), None)?);
        self.records.push(RestrictionRecordRow {
            restriction: loaded.state.id.clone(),
            version: loaded.state.version,
            person: loaded.meta.person.clone(),
            actor,
            salt: hex::encode(salt),
            record: canonical(&record).map_err(corrupt)?,
            log: 0,
            idx: 0,
        });
        Ok(())
    }

    /// Gives the records the places of their entries in the log.
    pub(super) fn place_records(&mut self, appended: &Appended) {
        for (record, idx) in self.records.iter_mut().zip(appended.previous()..) {
            (record.log, record.idx) = (appended.log(), idx);
        }
    }
}
