//! Approval rules, and the approvals of drafts, changes and proposals.

pub(crate) mod clearance;
pub(crate) mod independence;
pub(crate) mod notices;
pub(crate) mod proposals;
pub(crate) mod weakening;

use musette_core::instant::Instant;

use crate::approvals::clearance::{Cleared, SELECT_NEEDED_APPROVALS, bypass};
use crate::approvals::independence::{
    Author, SELECT_AUTHORS, SELECT_TIES, Tie, counted, is_independent,
};
use crate::approvals::proposals::{ActionApproval, LOCK_PROPOSAL, PROPOSAL_VOTES, settle_proposal};
use crate::approvals::weakening::weakened;
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::outbox::{NewEvent, append_events};

pub(crate) const RULES: Table = Table {
    name: "approval_rules",
    columns: &[
        ("kind", ColumnType::Text),
        ("scope", ColumnType::Text),
        ("approvals", ColumnType::Int),
    ],
};
pub(crate) const APPROVALS: Table = Table {
    name: "approvals",
    columns: &[
        ("kind", ColumnType::Text),
        ("object", ColumnType::Text),
        ("approver", ColumnType::Text),
        ("sha256", ColumnType::Text),
        ("at", ColumnType::Int),
        ("comment", ColumnType::Text),
    ],
};
pub(crate) const EDITORS: Table = Table {
    name: "draft_editors",
    columns: &[("draft", ColumnType::Text), ("editor", ColumnType::Text)],
};

const DELETE_RULES: &str = "DELETE FROM approval_rules";
const INSERT_RULE: &str = "INSERT INTO approval_rules (kind, scope, approvals) VALUES ($1, $2, $3)";
const SELECT_RULES: &str = "SELECT kind, scope, approvals FROM approval_rules ORDER BY kind, scope";
/// The first statement of a vote. It takes the lock, so that edits, publications and other votes
/// run one after another.
pub(crate) const LOCK_DRAFT: &str =
    "UPDATE term_drafts SET revision = revision WHERE id = $1 AND revision = $2";
const LOCK_CHANGE: &str = "UPDATE flag_changes SET status = status
    WHERE id = $1 AND status IN ('waiting', 'proposed') AND $2 = 0";
const LOCK_RESTRICTION: &str = "UPDATE restrictions SET status = status
    WHERE id = $1 AND status = 'PROPOSED' AND $2 = 0";
const INSERT_APPROVAL: &str = "INSERT INTO approvals (kind, object, approver, sha256, at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (kind, object, approver)
    DO UPDATE SET sha256 = excluded.sha256, at = excluded.at, comment = NULL
    WHERE approvals.sha256 <> excluded.sha256";
/// Inserts a rejection: a row without a hash, which approves nothing.
const INSERT_REJECTION: &str = "INSERT INTO approvals (kind, object, approver, sha256, at, comment)
    VALUES ($1, $2, $3, '', $4, $5)";
const SELECT_REJECTION: &str = "SELECT a.approver AS subject, u.id AS user_id, a.at, a.comment
    FROM approvals AS a LEFT JOIN users AS u ON u.subject = a.approver
    WHERE a.kind = $1 AND a.object = $2 AND a.sha256 = ''";
const DELETE_APPROVAL: &str =
    "DELETE FROM approvals WHERE kind = $1 AND object = $2 AND approver = $3 AND sha256 <> ''";
pub(crate) const VOID: &str = "DELETE FROM approvals WHERE kind = $1 AND object = $2";
pub(crate) const VOID_OF_DRAFT: &str = "DELETE FROM approvals WHERE kind = 'terms' AND object = $1";
/// Voids open approvals of a colleague whose roles change, because they may no longer be allowed to
/// approve.
pub(crate) const VOID_OF_PERSON: &str = "DELETE FROM approvals WHERE sha256 <> ''
    AND approver IN (SELECT subject FROM users WHERE id = $1)
    AND (kind = 'terms' OR object IN (SELECT id FROM flag_changes
        WHERE status IN ('waiting', 'proposed'))
    OR object IN (SELECT id FROM proposals WHERE status = 'proposed')
    OR object IN (SELECT id FROM restrictions WHERE status = 'PROPOSED'))";
/// An approval remains after its approver is erased, without a user ID.
pub(crate) const SELECT_APPROVALS: &str =
    "SELECT a.approver AS subject, u.id AS user_id, a.at, a.comment,
    s.at AS link_shown_at, i.id AS link_shown_to FROM approvals AS a
    LEFT JOIN users AS u ON u.subject = a.approver
    LEFT JOIN credential_issues AS s
        ON s.subject = a.approver AND s.part = 'secret' AND s.is_shown
        AND NOT EXISTS (SELECT 1 FROM credential_issues AS n
            WHERE n.subject = s.subject AND n.part = s.part AND n.is_shown
            AND (n.at > s.at OR (n.at = s.at AND n.issued_by > s.issued_by)))
    LEFT JOIN users AS i ON i.subject = s.issued_by
    WHERE a.kind = $1 AND a.object = $2 AND a.sha256 = $3 ORDER BY a.at, a.approver";
pub(crate) const INSERT_EDITOR: &str = "INSERT INTO draft_editors (draft, editor) VALUES ($1, $2)
    ON CONFLICT (draft, editor) DO NOTHING";
/// Versions before this table only stored the last editor.
const SELECT_EDITORS: &str = "SELECT editor FROM draft_editors WHERE draft = $1
    UNION SELECT updated_by FROM term_drafts WHERE id = $1 AND updated_by IS NOT NULL";
pub(crate) const DELETE_EDITORS: &str = "DELETE FROM draft_editors WHERE draft = $1";
/// Selects subject keys and user IDs of the authors of a draft, as the log identifies people.
pub(crate) const SELECT_WRITERS: &str = "SELECT s.key, u.id FROM subjects AS s
    JOIN users AS u ON u.subject = s.ref WHERE s.ref IN (
    SELECT editor FROM draft_editors WHERE draft = $1
    UNION SELECT updated_by FROM term_drafts WHERE id = $1) ORDER BY u.id";
/// Selects subject keys and user IDs of the colleagues who approved a draft in its current state.
pub(crate) const SELECT_APPROVERS: &str = "SELECT s.key, u.id, a.approver FROM approvals AS a
    JOIN subjects AS s ON s.ref = a.approver JOIN users AS u ON u.subject = s.ref
    WHERE a.kind = 'terms' AND a.object = $1 AND a.sha256 = $2 ORDER BY u.id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    DELETE_RULES,
    INSERT_RULE,
    SELECT_RULES,
    LOCK_DRAFT,
    LOCK_CHANGE,
    LOCK_RESTRICTION,
    INSERT_APPROVAL,
    INSERT_REJECTION,
    SELECT_REJECTION,
    DELETE_APPROVAL,
    VOID,
    VOID_OF_DRAFT,
    VOID_OF_PERSON,
    SELECT_APPROVALS,
    INSERT_EDITOR,
    SELECT_EDITORS,
    DELETE_EDITORS,
    SELECT_WRITERS,
    SELECT_APPROVERS,
];

/// How many colleagues must approve something.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ApprovalRule {
    /// `terms`, `flags` or `restrictions`.
    pub kind: String,
    /// A type of terms, an environment, a kind of restrictions, or `*`.
    pub scope: String,
    /// Number of approvals.
    pub approvals: i64,
}

/// The approval of a draft or change by a colleague, in its current state.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Approval {
    /// Subject of the person.
    pub subject: String,
    /// User ID of the person; none once their account is erased.
    pub user_id: Option<String>,
    /// When it was given, in milliseconds since 1970.
    pub at: i64,
    /// Reason of a rejection; none for an approval.
    pub comment: Option<String>,
    /// When another account saw the last sign-in link of this person, because no message delivery
    /// was configured; none if no account saw it.
    #[sqlx(default)]
    pub link_shown_at: Option<i64>,
    /// User ID of that account; none once it is erased.
    #[sqlx(default)]
    pub link_shown_to: Option<String>,
}

/// The result of a vote to approve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteOutcome {
    /// The approval counts.
    Approved,
    /// The person has already approved it.
    Repeated,
    /// It was edited or settled meanwhile.
    Changed,
    /// The approval does not count: the person is an author, or one of the two gave the other
    /// access to their account.
    NotIndependent,
}

/// A vote of a colleague on a draft or change.
#[derive(Debug, Clone, Copy)]
pub struct NewVote<'a> {
    /// `terms` (a draft), `flags`, `proposals` or `restrictions`.
    pub kind: &'a str,
    /// ID of the draft, change, proposal or restriction.
    pub object: &'a str,
    /// The type of the term, the environment, the subject of the proposal, or the kind of the
    /// restriction.
    pub scope: &'a str,
    /// Subject of the person.
    pub by: &'a str,
    /// The revision of the draft that the person read; 0 for a change or proposal, which cannot be
    /// edited.
    pub revision: i64,
}

impl NewVote<'_> {
    const fn lock(&self) -> &'static str {
        match (self.kind.as_bytes(), self.revision) {
            (b"proposals", _) => LOCK_PROPOSAL,
            (b"restrictions", _) => LOCK_RESTRICTION,
            (_, 0) => LOCK_CHANGE,
            _ => LOCK_DRAFT,
        }
    }
}

/// Begins a vote; `None` if the draft was edited or the change settled since it was read.
macro_rules! begin_vote {
    ($pool:expr, $vote:expr) => {{
        let mut tx = $pool.begin().await?;
        let locked = sqlx::query($vote.lock())
            .bind($vote.object)
            .bind($vote.revision)
            .execute(&mut *tx)
            .await?;
        (locked.rows_affected() == 1).then_some(tx)
    }};
}

impl Store {
    /// Returns all approval rules.
    pub async fn approval_rules(&self) -> Result<Vec<ApprovalRule>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_RULES).fetch_all(pool).await)?)
    }

    /// Replaces all rules. Weaker rules need the approvals that the former rules require. Returns
    /// false and changes nothing if the rules are no longer equal to `base`.
    pub async fn set_approval_rules(
        &self,
        rules: &[ApprovalRule],
        base: Option<&[ApprovalRule]>,
        act: ActionApproval<'_>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            // This statement takes the lock: of two concurrent replacements, the second replaces
            // the rules of the first.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let old: Vec<ApprovalRule> = sqlx::query_as(SELECT_RULES).fetch_all(&mut *tx).await?;
            if base.is_some_and(|base| base != old) {
                return Ok(false);
            }
            settle_proposal!(tx, act, now);
            let needed = weakened(&old, rules).iter().map(|rule| rule.needed).max().unwrap_or(0);
            let votes = act.proposal.map(|(id, sha256)| (PROPOSAL_VOTES, id, sha256));
            let change = Cleared { kind: "rules", scope: "*", votes };
            let events = bypass!(tx, act.clearance, change, needed, now);
            sqlx::query(DELETE_RULES).execute(&mut *tx).await?;
            for rule in rules {
                sqlx::query(INSERT_RULE)
                    .bind(&rule.kind)
                    .bind(&rule.scope)
                    .bind(rule.approvals)
                    .execute(&mut *tx)
                    .await?;
            }
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
            Ok(true)
        })
    }

    /// Returns how many approvals the most specific rule requires; 0 without a rule.
    pub async fn approvals_needed(&self, kind: &str, scope: &str) -> Result<i64, StoreError> {
        let needed: Option<i64> = read!(self, |pool| sqlx::query_scalar(SELECT_NEEDED_APPROVALS)
            .bind(kind)
            .bind(scope)
            .fetch_optional(pool)
            .await)?;
        Ok(needed.unwrap_or(0))
    }

    /// Approves the content with exactly this hash.
    pub async fn approve(
        &self,
        vote: &NewVote<'_>,
        sha256: &str,
        now: Instant,
    ) -> Result<VoteOutcome, StoreError> {
        modify!(self, |pool| {
            let Some(mut tx) = begin_vote!(pool, vote) else { return Ok(VoteOutcome::Changed) };
            let authors: Vec<Author> =
                sqlx::query_as(SELECT_AUTHORS).bind(vote.object).fetch_all(&mut *tx).await?;
            let ties: Vec<Tie> = sqlx::query_as(SELECT_TIES).fetch_all(&mut *tx).await?;
            if !is_independent(vote.by, &authors, &ties) {
                return Ok(VoteOutcome::NotIndependent);
            }
            let approved = sqlx::query(INSERT_APPROVAL)
                .bind(vote.kind)
                .bind(vote.object)
                .bind(vote.by)
                .bind(sha256)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let is_new = approved.rows_affected() == 1;
            let NewVote { kind, object, scope, .. } = *vote;
            let data = serde_json::json!({"subject": kind, "scope": scope, "id": object});
            let events = if is_new {
                vec![NewEvent::new("change.approved", now, &data)]
            } else {
                Vec::new()
            };
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
            Ok(if is_new { VoteOutcome::Approved } else { VoteOutcome::Repeated })
        })
    }

    /// Withdraws the caller's own approval. Returns false if there was none, and `None` if the
    /// object was edited or settled meanwhile.
    pub async fn withdraw_approval(&self, vote: &NewVote<'_>) -> Result<Option<bool>, StoreError> {
        modify!(self, |pool| {
            let Some(mut tx) = begin_vote!(pool, vote) else { return Ok(None) };
            let withdrawn = sqlx::query(DELETE_APPROVAL)
                .bind(vote.kind)
                .bind(vote.object)
                .bind(vote.by)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(Some(withdrawn.rows_affected() == 1))
        })
    }

    /// Voids every approval and stores the reason of the rejection until the next edit. Returns
    /// false if the object was edited or settled meanwhile.
    pub async fn reject(
        &self,
        vote: &NewVote<'_>,
        comment: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let Some(mut tx) = begin_vote!(pool, vote) else { return Ok(false) };
            sqlx::query(VOID).bind(vote.kind).bind(vote.object).execute(&mut *tx).await?;
            sqlx::query(INSERT_REJECTION)
                .bind(vote.kind)
                .bind(vote.object)
                .bind(vote.by)
                .bind(now.millis())
                .bind(comment)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(true)
        })
    }

    /// Returns the rejection with its reason; `None` if it was not rejected, or was edited since.
    pub async fn rejection(
        &self,
        kind: &str,
        object: &str,
    ) -> Result<Option<Approval>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_REJECTION)
            .bind(kind)
            .bind(object)
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns the approvals of the content with this hash that count: those of people who are not
    /// its authors.
    pub async fn approvals(
        &self,
        kind: &str,
        object: &str,
        sha256: &str,
    ) -> Result<Vec<Approval>, StoreError> {
        Ok(read!(self, |pool| counted!(pool, kind, object, sha256)))
    }

    /// Filters people whose approval would count: they are not authors, and neither they nor an
    /// author gave the other access to their account.
    pub async fn independent_of(
        &self,
        object: &str,
        mut subjects: Vec<String>,
    ) -> Result<Vec<String>, StoreError> {
        let (authors, ties): (Vec<Author>, Vec<Tie>) = read!(self, |pool| (
            sqlx::query_as(SELECT_AUTHORS).bind(object).fetch_all(pool).await?,
            sqlx::query_as(SELECT_TIES).fetch_all(pool).await?,
        ));
        subjects.retain(|subject| is_independent(subject, &authors, &ties));
        Ok(subjects)
    }

    /// Returns the subjects of all people who edited the draft.
    pub async fn draft_editors(&self, draft: &str) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_EDITORS)
            .bind(draft)
            .fetch_all(pool)
            .await)?)
    }
}
