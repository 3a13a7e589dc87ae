//! The riders that a campaign addresses, with what decides whether they are reached.

use musette_core::campaigns::{CampaignDefinition, Reachability};
use musette_core::terms::{Term, TermId};

use crate::consents::coverage::of_markets;
use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::markets::filter::{MarketFilter, is_inside};

/// Selects the fields of [`Recipient`] for riders `u`. `$2` is the list of the versions whose
/// decisions count. The `+` keeps SQLite from using the index by term: a person has few decisions,
/// a term has many.
macro_rules! select_recipients {
    ($from:expr) => {
        concat!(
            "SELECT u.id AS user_id, u.subject, u.name, u.email, u.phone, u.locale, u.market,
    EXISTS (SELECT 1 FROM consents AS c WHERE c.person IN (
            SELECT u.subject UNION ALL SELECT person FROM claims WHERE claims.subject = u.subject
        ) AND $2 LIKE '%|' || CAST(+c.term_id AS TEXT) || '|%') AS has_decided,
    EXISTS (SELECT 1 FROM notice_messages AS b WHERE b.person = u.subject
        AND b.channel = 'email' AND b.outcome = 'bounced' AND b.address = u.email) AS has_bounced,
    EXISTS (SELECT 1 FROM notice_opt_outs AS o WHERE o.person = u.subject) AS has_opted_out,
    EXISTS (SELECT 1 FROM notice_openings AS n WHERE n.person = u.subject
        AND $2 LIKE '%|' || CAST(n.term_id AS TEXT) || '|%') AS has_opened,
    EXISTS (SELECT 1 FROM push_subscriptions AS p WHERE p.person = u.subject) AS has_push ",
            $from
        )
    };
}
/// Selects riders after the subject `$1`. The `CROSS JOIN` keeps the order of the join.
const SELECT_RIDERS: &str = select_recipients!(concat!(
    "FROM users AS u CROSS JOIN user_roles AS r
    WHERE u.subject > $1 AND r.user_id = u.id AND r.role = 'rider' AND ",
    of_markets!("u.market", "$4", "$5"),
    " ORDER BY u.subject LIMIT $3"
));
pub(super) const SELECT_RECIPIENTS: &str =
    select_recipients!("FROM {wanted} JOIN users AS u ON u.subject = wanted.value ->> 0");
/// Selects the people after the user ID `$1` that a campaign addresses, or has addressed.
const SELECT_PEOPLE: &str = select_recipients!(concat!(
    "FROM users AS u WHERE u.id > $1 AND (
        EXISTS (SELECT 1 FROM user_roles AS r WHERE r.user_id = u.id AND r.role = 'rider' AND ",
    of_markets!("u.market", "$4", "$5"),
    ") OR EXISTS (SELECT 1 FROM notice_messages AS m
        WHERE m.person = u.subject AND m.campaign = $6))
    AND ($7 = '' OR ",
    is_inside!("u.market", "$7"),
    ") ORDER BY u.id LIMIT $3"
));

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_RIDERS, SELECT_PEOPLE];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_RECIPIENTS];

/// A rider that a campaign may address.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Recipient {
    /// User ID.
    pub user_id: String,
    /// Subject of the rider.
    pub subject: String,
    /// Name, if one is known.
    pub name: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Phone number.
    pub phone: Option<String>,
    /// Language of messages to them (BCP 47).
    pub locale: Option<String>,
    /// Code of the market in which they work.
    pub market: Option<String>,
    /// Whether they have decided on the term.
    pub has_decided: bool,
    /// Whether a message to their e-mail address was refused permanently.
    pub has_bounced: bool,
    /// Whether they do not want e-mails about optional terms.
    pub has_opted_out: bool,
    /// Whether they have opened the notice.
    pub has_opened: bool,
    /// Whether a browser of theirs accepts push messages.
    pub has_push: bool,
}

/// The audience of a campaign, and the term that it is about.
#[derive(Debug, Clone)]
pub struct Audience<'a> {
    /// Content and times.
    pub definition: &'a CampaignDefinition,
    /// The term.
    pub term: &'a Term,
    /// The markets of the riders.
    pub scope: MarketFilter,
    /// The versions whose decisions count, between bars.
    pub(super) versions: String,
}

impl<'a> Audience<'a> {
    /// Creates an audience. `versions` are the term and the older versions whose decisions it
    /// inherits.
    pub fn new(
        definition: &'a CampaignDefinition,
        term: &'a Term,
        scope: MarketFilter,
        versions: impl Iterator<Item = TermId>,
    ) -> Self {
        let mut list = "|".to_owned();
        for version in versions {
            list.push_str(&format!("{version}|"));
        }
        Self { definition, term, scope, versions: list }
    }

    /// Returns whether people may unsubscribe from e-mails about the term: it is neither mandatory nor
    /// a notice, of which the company must inform them.
    pub fn is_optional(&self) -> bool {
        !self.term.mandatory && !self.term.is_notice()
    }

    /// Returns which channels reach a rider.
    pub fn reachability(&self, recipient: &Recipient) -> Reachability {
        let locale = self.definition.locale_for(recipient.locale.as_deref(), self.term);
        Reachability {
            has_decided: recipient.has_decided || recipient.has_opened,
            has_text: locale.is_some(),
            has_email: recipient.email.is_some(),
            has_phone: recipient.phone.is_some(),
            has_push: recipient.has_push,
            has_bounced: recipient.has_bounced,
            has_opted_out: recipient.has_opted_out && self.is_optional(),
        }
    }
}

impl Store {
    /// Returns riders after a subject, in order of their subjects.
    pub async fn recipients_after(
        &self,
        audience: &Audience<'_>,
        after: &str,
        limit: i64,
    ) -> Result<Vec<Recipient>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_RIDERS)
            .persistent(false)
            .bind(after)
            .bind(&audience.versions)
            .bind(limit)
            .bind(&audience.scope.inside)
            .bind(&audience.scope.except)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns people of these markets after a user ID that a campaign addresses or has addressed,
    /// in order of their IDs.
    pub async fn people_of_campaign(
        &self,
        (campaign, audience): (&str, &Audience<'_>),
        markets: &MarketFilter,
        after: &str,
        limit: i64,
    ) -> Result<Vec<Recipient>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_PEOPLE)
            .persistent(false)
            .bind(after)
            .bind(&audience.versions)
            .bind(limit)
            .bind(&audience.scope.inside)
            .bind(&audience.scope.except)
            .bind(campaign)
            .bind(&markets.inside)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the riders with these subjects who were not erased.
    pub async fn recipients(
        &self,
        audience: &Audience<'_>,
        subjects: &[&str],
    ) -> Result<Vec<Recipient>, StoreError> {
        let rows: Vec<[&str; 1]> = subjects.iter().map(|subject| [*subject]).collect();
        Ok(read!(self, |pool| sqlx::query_as(over_few_rows(self.engine(), SELECT_RECIPIENTS))
            .bind(json(&rows))
            .bind(&audience.versions)
            .fetch_all(pool)
            .await)?)
    }
}
