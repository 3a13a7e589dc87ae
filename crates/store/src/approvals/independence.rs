//! Decides which approvals count: two accounts are treated as one person if one gave the other
//! access.
//!
//! An account is linked to the account that created it, made its last sign-in link or changed its
//! address. A service key is linked to the admin who created it. Commands create no links, because
//! they belong to the operator of the machine.

use std::collections::BTreeSet;

use musette_core::instant::Instant;

use super::Approval;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify};

pub(crate) const ISSUES: Table = Table {
    name: "credential_issues",
    columns: &[
        ("subject", ColumnType::Text),
        ("part", ColumnType::Text),
        ("issued_by", ColumnType::Text),
        ("at", ColumnType::Int),
        ("is_shown", ColumnType::Bool),
    ],
};

/// Prefix of the subject of a service key.
pub(crate) const SERVICE_KEY: &str = "service:";

/// Records no issue by the account itself: a person who changes their own password links the
/// account to no other one.
const UPSERT_ISSUE: &str = "INSERT INTO credential_issues (subject, part, issued_by, at, is_shown)
    SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), $5
    WHERE CAST($1 AS TEXT) <> CAST($3 AS TEXT)
    ON CONFLICT (subject, part, issued_by) DO UPDATE
    SET at = excluded.at, is_shown = excluded.is_shown";
/// Deletes the issues of earlier links: once a link is redeemed, the password of an earlier one no
/// longer works.
const DELETE_EARLIER_ISSUES: &str = "DELETE FROM credential_issues WHERE subject = $1 AND part = 'secret'
    AND at < (SELECT MAX(n.at) FROM credential_issues AS n WHERE n.subject = $1 AND n.part = 'secret')";
const DELETE_ISSUES: &str = "DELETE FROM credential_issues WHERE subject = $1 AND part = $2";
/// Selects the authors of a draft, change or proposal, and when it was started. IDs are unique
/// across the three tables.
pub(crate) const SELECT_AUTHORS: &str =
    "SELECT e.editor AS subject, COALESCE(d.begun_at, 0) AS begun_at
    FROM draft_editors AS e JOIN term_drafts AS d ON d.id = e.draft WHERE d.id = $1
    UNION SELECT updated_by, COALESCE(begun_at, 0) FROM term_drafts
    WHERE id = $1 AND updated_by IS NOT NULL
    UNION SELECT author, created_at FROM flag_changes WHERE id = $1 AND author IS NOT NULL
    UNION SELECT author, created_at FROM proposals WHERE id = $1";
/// Selects accounts of the console and service keys only, so at most a few thousand rows.
pub(crate) const SELECT_TIES: &str = "SELECT subject, issued_by, at FROM credential_issues
    UNION ALL SELECT 'service:' || name, made_by, created_at FROM service_keys
    WHERE made_by IS NOT NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[UPSERT_ISSUE, DELETE_EARLIER_ISSUES, DELETE_ISSUES, SELECT_AUTHORS, SELECT_TIES];

/// An author of the object to approve.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct Author {
    pub(crate) subject: String,
    /// When the draft, change or proposal was started.
    pub(crate) begun_at: i64,
}

/// An account and the account that last gave access to it.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct Tie {
    pub(crate) subject: String,
    pub(crate) issued_by: String,
    pub(crate) at: i64,
}

/// A means of access to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialPart {
    /// A sign-in link, password or second factor.
    Secret {
        /// Whether the issuer has seen it.
        is_shown: bool,
    },
    /// The account itself, its e-mail address or phone number.
    Address,
}

impl CredentialPart {
    const fn name(self) -> &'static str {
        match self {
            Self::Secret { .. } => "secret",
            Self::Address => "address",
        }
    }
}

/// Returns the accounts that gave access to this account since then, directly or through others.
fn issuers(subject: &str, since: i64, ties: &[Tie]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut pending = vec![subject.to_owned()];
    while let Some(current) = pending.pop() {
        for tie in ties.iter().filter(|tie| tie.subject == current && tie.at >= since) {
            if all.insert(tie.issued_by.clone()) {
                pending.push(tie.issued_by.clone());
            }
        }
    }
    all
}

/// Returns whether the approver is a different person than each author.
///
/// They are not different if one gave the other access, at any time and through any chain. They are
/// also not different if a third account that once gave access to one of them gave access to the
/// other after the draft was started: that account could act as both.
pub(crate) fn is_independent(approver: &str, authors: &[Author], ties: &[Tie]) -> bool {
    let issuers_of_approver = issuers(approver, i64::MIN, ties);
    // A service key acts for the admin who created it.
    let creators = authors.iter().flat_map(|author| {
        let is_key = author.subject.starts_with(SERVICE_KEY);
        let of_key = ties.iter().filter(move |tie| is_key && tie.subject == author.subject);
        of_key.map(|tie| (&tie.issued_by, author.begun_at))
    });
    let authors = authors.iter().map(|author| (&author.subject, author.begun_at));
    authors.chain(creators).all(|(subject, begun_at)| {
        let issuers_of_author = issuers(subject, i64::MIN, ties);
        let acted_since = |one: &str, issuers_of_other: &BTreeSet<String>| {
            !issuers(one, begun_at, ties).is_disjoint(issuers_of_other)
        };
        approver != subject
            && !issuers_of_approver.contains(subject)
            && !issuers_of_author.contains(approver)
            && !acted_since(approver, &issuers_of_author)
            && !acted_since(subject, &issuers_of_approver)
    })
}

/// Filters the approvals that count.
pub(crate) fn filter_independent(
    approvals: Vec<Approval>,
    authors: &[Author],
    ties: &[Tie],
) -> Vec<Approval> {
    approvals
        .into_iter()
        .filter(|approval| is_independent(&approval.subject, authors, ties))
        .collect()
}

/// Reads the approvals of this hash that count, inside or outside a transaction.
macro_rules! counted {
    ($on:expr, $kind:expr, $object:expr, $sha256:expr) => {{
        let approvals: Vec<$crate::approvals::Approval> =
            sqlx::query_as($crate::approvals::SELECT_APPROVALS)
                .bind($kind)
                .bind($object)
                .bind($sha256)
                .fetch_all($on)
                .await?;
        if approvals.is_empty() {
            approvals
        } else {
            let authors: Vec<$crate::approvals::independence::Author> =
                sqlx::query_as($crate::approvals::independence::SELECT_AUTHORS)
                    .bind($object)
                    .fetch_all($on)
                    .await?;
            let ties: Vec<$crate::approvals::independence::Tie> =
                sqlx::query_as($crate::approvals::independence::SELECT_TIES).fetch_all($on).await?;
            $crate::approvals::independence::filter_independent(approvals, &authors, &ties)
        }
    }};
}
pub(crate) use counted;

impl Store {
    /// Records that `issued_by` gave access to the account of this subject. It replaces the former
    /// record of that part.
    ///
    /// Call it before the credentials can be used: a superfluous record only makes an approval not
    /// count.
    pub async fn record_credential_issue(
        &self,
        subject: &str,
        part: CredentialPart,
        issued_by: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(UPSERT_ISSUE)
                .bind(subject)
                .bind(part.name())
                .bind(issued_by)
                .bind(now.millis())
                .bind(part == CredentialPart::Secret { is_shown: true })
                .execute(pool)
                .await?;
            Ok(())
        })
    }

    /// Removes the record of the issuer of access: a command, which belongs to the operator of the
    /// machine, has issued it again.
    pub async fn delete_credential_issue(
        &self,
        subject: &str,
        part: CredentialPart,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(DELETE_ISSUES).bind(subject).bind(part.name()).execute(pool).await?;
            Ok(())
        })
    }

    /// Removes the records of earlier sign-in links of an account after the newest one was
    /// redeemed.
    pub async fn delete_former_sign_in_links(&self, subject: &str) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(DELETE_EARLIER_ISSUES).bind(subject).execute(pool).await?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Author, Tie, is_independent};

    const BEGUN: i64 = 100;

    /// Ties as `account < issuer at`.
    fn counts(approver: &str, authors: &[&str], ties: &[(&str, &str, i64)]) -> bool {
        let authors: Vec<_> = authors
            .iter()
            .map(|subject| Author { subject: (*subject).into(), begun_at: BEGUN })
            .collect();
        let ties: Vec<_> = ties
            .iter()
            .map(|(subject, by, at)| Tie {
                subject: (*subject).into(),
                issued_by: (*by).into(),
                at: *at,
            })
            .collect();
        is_independent(approver, &authors, &ties)
    }

    #[test]
    fn accounts_without_links_are_two_people() {
        assert!(counts("l2", &["l1"], &[]));
        assert!(!counts("l1", &["l1"], &[]));
        assert!(!counts("l2", &["l1", "l2"], &[]));
    }

    #[test]
    fn an_account_and_its_issuer_are_one_person() {
        for at in [BEGUN - 50, BEGUN, BEGUN + 50] {
            assert!(!counts("puppet", &["admin"], &[("puppet", "admin", at)]));
            assert!(!counts("admin", &["puppet"], &[("puppet", "admin", at)]));
        }
    }

    #[test]
    fn chains_of_accounts_are_one_person() {
        let ties = [("second", "first", 10), ("first", "admin", 5)];
        assert!(!counts("second", &["admin"], &ties));
        assert!(!counts("admin", &["second"], &ties));
        assert!(!counts("second", &["first"], &ties));
        // The admin's own account and a service key that a puppet created.
        let ties = [("service:ci", "first", 10), ("first", "admin", 5)];
        assert!(!counts("admin", &["service:ci"], &ties));
        // Another account that the creator of the key created.
        let ties = [("service:ci", "admin", 10), ("puppet", "admin", 5), ("l1", "boss", 1)];
        assert!(!counts("puppet", &["service:ci"], &ties));
        assert!(counts("l1", &["service:ci"], &ties));
    }

    #[test]
    fn colleagues_of_one_admin_are_two_people_unless_one_was_reset_later() {
        let ties = [("l1", "admin", 10), ("l2", "admin", 20)];
        assert!(counts("l2", &["l1"], &ties));
        assert!(!counts("l2", &["l1"], &[("l1", "admin", 10), ("l2", "admin", BEGUN)]));
        // The author's account was taken over after the draft was started.
        assert!(!counts("l2", &["l1"], &[("l1", "admin", BEGUN + 1), ("l2", "admin", 20)]));
        // A second account of the same admin.
        let ties = [("l1", "admin", 10), ("l2", "other", BEGUN + 2), ("other", "admin", BEGUN + 1)];
        assert!(!counts("l2", &["l1"], &ties));
        // Another admin, whose account none of them created.
        assert!(counts("l2", &["l1"], &[("l1", "admin", 10), ("l2", "b", BEGUN + 2)]));
    }

    #[test]
    fn terminates_for_cyclic_links() {
        let ties = [("a", "b", 1), ("b", "a", 2)];
        assert!(!counts("a", &["b"], &ties));
        assert!(counts("c", &["a"], &ties));
    }
}
