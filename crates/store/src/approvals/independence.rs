//! Which approvals count: two accounts are one person when one gave the other access.
//!
//! An account is tied to the account that created it, made its last sign-in link or changed its address, and a service
//! key to the admin who created it. What commands do ties nothing: they belong to the operator of the machine.

use std::collections::BTreeSet;

use musette_core::instant::Instant;

use super::Approval;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, write};

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

/// Begins the subject of a service key.
const SERVICE_KEY: &str = "service:";

/// Nobody issues credentials to themselves: a password that a person changes ties the account to nobody else.
const RECORD: &str = "INSERT INTO credential_issues (subject, part, issued_by, at, is_shown)
    SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), $5
    WHERE CAST($1 AS TEXT) <> CAST($3 AS TEXT)
    ON CONFLICT (subject, part, issued_by) DO UPDATE
    SET at = excluded.at, is_shown = excluded.is_shown";
/// When a link is redeemed, the password of an earlier one opens nothing any more.
const FORGET_FORMER: &str = "DELETE FROM credential_issues WHERE subject = $1 AND part = 'secret'
    AND at < (SELECT MAX(n.at) FROM credential_issues AS n WHERE n.subject = $1 AND n.part = 'secret')";
const FORGET: &str = "DELETE FROM credential_issues WHERE subject = $1 AND part = $2";
/// Authors of a draft, change or proposal, and when it was begun. Ids are unique across the three tables.
pub(crate) const AUTHORS: &str = "SELECT e.editor AS subject, COALESCE(d.begun_at, 0) AS begun_at
    FROM draft_editors AS e JOIN term_drafts AS d ON d.id = e.draft WHERE d.id = $1
    UNION SELECT updated_by, COALESCE(begun_at, 0) FROM term_drafts
    WHERE id = $1 AND updated_by IS NOT NULL
    UNION SELECT author, created_at FROM flag_changes WHERE id = $1 AND author IS NOT NULL
    UNION SELECT author, created_at FROM proposals WHERE id = $1";
/// Accounts of the console and service keys only, so a few thousand rows at most.
pub(crate) const TIES: &str = "SELECT subject, issued_by, at FROM credential_issues
    UNION ALL SELECT 'service:' || name, made_by, created_at FROM service_keys
    WHERE made_by IS NOT NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[RECORD, FORGET_FORMER, FORGET, AUTHORS, TIES];

/// An author of what is approved.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct Author {
    pub(crate) subject: String,
    /// When the draft, change or proposal was begun.
    pub(crate) begun_at: i64,
}

/// An account and the one that last gave access to it.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct Tie {
    pub(crate) subject: String,
    pub(crate) issued_by: String,
    pub(crate) at: i64,
}

/// What gives access to an account.
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

/// Accounts that gave access to this one since then, directly or through others.
fn issuers(subject: &str, since: i64, ties: &[Tie]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut next = vec![subject.to_owned()];
    while let Some(current) = next.pop() {
        for tie in ties.iter().filter(|tie| tie.subject == current && tie.at >= since) {
            if all.insert(tie.issued_by.clone()) {
                next.push(tie.issued_by.clone());
            }
        }
    }
    all
}

/// Whether the approver is another person than each author.
///
/// Not where one of the two gave the other access, at any time and through any chain. Not where a third account that
/// once gave access to one of them gave access to the other after the draft was begun: it could act as both.
pub(crate) fn is_independent(approver: &str, authors: &[Author], ties: &[Tie]) -> bool {
    let above = issuers(approver, i64::MIN, ties);
    // A service key acts for the admin who created it.
    let creators = authors.iter().flat_map(|author| {
        let is_key = author.subject.starts_with(SERVICE_KEY);
        let of_key = ties.iter().filter(move |tie| is_key && tie.subject == author.subject);
        of_key.map(|tie| (&tie.issued_by, author.begun_at))
    });
    let authors = authors.iter().map(|author| (&author.subject, author.begun_at));
    authors.chain(creators).all(|(subject, begun_at)| {
        let above_author = issuers(subject, i64::MIN, ties);
        let acted_since = |one: &str, above_other: &BTreeSet<String>| {
            !issuers(one, begun_at, ties).is_disjoint(above_other)
        };
        approver != subject
            && !above.contains(subject)
            && !above_author.contains(approver)
            && !acted_since(approver, &above_author)
            && !acted_since(subject, &above)
    })
}

/// The approvals that count.
pub(crate) fn independent(given: Vec<Approval>, authors: &[Author], ties: &[Tie]) -> Vec<Approval> {
    given.into_iter().filter(|approval| is_independent(&approval.subject, authors, ties)).collect()
}

/// Reads the approvals of this hash that count, in a transaction or outside one.
macro_rules! counted {
    ($on:expr, $kind:expr, $object:expr, $sha256:expr) => {{
        let given: Vec<$crate::approvals::Approval> = sqlx::query_as($crate::approvals::GIVEN)
            .bind($kind)
            .bind($object)
            .bind($sha256)
            .fetch_all($on)
            .await?;
        if given.is_empty() {
            given
        } else {
            let authors: Vec<$crate::approvals::independence::Author> =
                sqlx::query_as($crate::approvals::independence::AUTHORS)
                    .bind($object)
                    .fetch_all($on)
                    .await?;
            let ties: Vec<$crate::approvals::independence::Tie> =
                sqlx::query_as($crate::approvals::independence::TIES).fetch_all($on).await?;
            $crate::approvals::independence::independent(given, &authors, &ties)
        }
    }};
}
pub(crate) use counted;

impl Store {
    /// Records that `issued_by` gave access to the account of this subject. It replaces the former record of that part.
    ///
    /// Call it before the credentials can be used: a record too many only refuses an approval.
    pub async fn record_credential_issue(
        &self,
        subject: &str,
        part: CredentialPart,
        issued_by: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(RECORD)
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

    /// Removes the record of who gave access: a command, which belongs to the operator of the machine, gave it anew.
    pub async fn forget_credential_issue(
        &self,
        subject: &str,
        part: CredentialPart,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(FORGET).bind(subject).bind(part.name()).execute(pool).await?;
            Ok(())
        })
    }

    /// Forgets who made earlier sign-in links of an account: the newest one was redeemed.
    pub async fn forget_former_links(&self, subject: &str) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(FORGET_FORMER).bind(subject).execute(pool).await?;
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
    fn accounts_without_ties_are_two_people() {
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
    fn colleagues_of_one_admin_are_two_people_unless_reset_since() {
        let made = [("l1", "admin", 10), ("l2", "admin", 20)];
        assert!(counts("l2", &["l1"], &made));
        assert!(!counts("l2", &["l1"], &[("l1", "admin", 10), ("l2", "admin", BEGUN)]));
        // The author's account was taken over since.
        assert!(!counts("l2", &["l1"], &[("l1", "admin", BEGUN + 1), ("l2", "admin", 20)]));
        // By a second account of the same admin.
        let ties = [("l1", "admin", 10), ("l2", "other", BEGUN + 2), ("other", "admin", BEGUN + 1)];
        assert!(!counts("l2", &["l1"], &ties));
        // Another admin, whom none of them created.
        assert!(counts("l2", &["l1"], &[("l1", "admin", 10), ("l2", "b", BEGUN + 2)]));
    }

    #[test]
    fn circles_end() {
        let ties = [("a", "b", 1), ("b", "a", 2)];
        assert!(!counts("a", &["b"], &ties));
        assert!(counts("c", &["a"], &ties));
    }
}
