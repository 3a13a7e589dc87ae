//! Approvals: the rules, and the votes on drafts of terms and changes of flags.

mod notices;
mod notification;
mod representatives;
mod rules;
mod votes;

use musette_store::{Approval, BreakGlass};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::caller::Caller;
use crate::http::wire::problem::Problem;
use crate::http::wire::query::{FromQuery, Parameters};
use crate::platform::random;
use musette_core::instant::Instant;
use musette_core::session::Role;
pub use notices::send_notices;
pub use rules::{
    __path_put_rules, __path_rules, ApprovalRuleBody, checked, put_rules, replace, rules,
};
pub use votes::{
    __path_approve_change, __path_approve_draft, __path_approve_proposal, __path_reject_change,
    __path_reject_draft, __path_reject_proposal, __path_withdraw_from_change,
    __path_withdraw_from_draft, __path_withdraw_from_proposal, NewApprovalBody, VoteObject,
    approve_change, approve_draft, approve_proposal, outdated, reject_change, reject_draft,
    reject_proposal, withdraw_from_change, withdraw_from_draft, withdraw_from_proposal,
};

/// The subject of drafts of terms.
pub const TERMS: &str = "terms";
/// The subject of changes of flags.
pub const FLAGS: &str = "flags";

/// An approval of the current version.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ApprovalBody {
    /// The user id of the reviewer who approved it. Absent once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    /// The time of the approval.
    #[schema(format = DateTime)]
    at: String,
    /// The time at which another admin was shown this person's last sign-in link, because no
    /// message delivery is set up. That admin could have signed in as this person. Absent if the
    /// link was sent to the person, or there was no link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    link_shown_at: Option<String>,
    /// The user id of that admin. Absent once that admin is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    link_shown_to: Option<String>,
}

impl From<Approval> for ApprovalBody {
    fn from(approval: Approval) -> Self {
        let text = |at| Instant::from_millis(at).to_string();
        Self {
            user_id: approval.user_id,
            at: text(approval.at),
            link_shown_at: approval.link_shown_at.map(text),
            link_shown_to: approval.link_shown_to,
        }
    }
}

/// A rejection with a comment.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RejectionBody {
    /// The user id of the reviewer who rejected it. Absent once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    /// The time of the rejection.
    #[schema(format = DateTime)]
    at: String,
    /// The requested changes.
    #[schema(max_length = 1000)]
    comment: String,
}

impl From<Approval> for RejectionBody {
    fn from(rejection: Approval) -> Self {
        let at = Instant::from_millis(rejection.at).to_string();
        let comment = rejection.comment.unwrap_or_default();
        Self { user_id: rejection.user_id, at, comment }
    }
}

/// The bypass of missing approvals.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BreakGlassQuery {
    /// The reason why the change cannot wait for approvals, for the audit: 1 to 200 characters on
    /// one line. Only admins may use it.
    #[param(max_length = 200)]
    break_glass: Option<String>,
}

impl FromQuery for BreakGlassQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let is_reason = |text: &str| {
            let is_short = text.chars().count() <= 200 && !text.chars().any(char::is_control);
            (is_short && !text.trim().is_empty()).then(|| text.to_owned())
        };
        let expected = "a reason of 1 to 200 characters on one line";
        Ok(Self { break_glass: parameters.parsed("break_glass", is_reason, expected)? })
    }
}

impl BreakGlassQuery {
    /// Returns the reason to bypass missing approvals. Only an admin may give one.
    pub fn by(self, caller: &Caller) -> Result<Option<BreakGlass>, Problem> {
        let Some(reason) = self.break_glass else { return Ok(None) };
        if !caller.has(Role::Admin) {
            return Err(Problem::denied_to(&caller.subject));
        }
        let (audit_id, actor) = (random::uuid(), caller.subject.clone());
        Ok(Some(BreakGlass { audit_id, actor, reason }))
    }
}

/// Returns the hash of a draft. It covers every field, including the hashes of its documents.
pub fn hash_of(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}
