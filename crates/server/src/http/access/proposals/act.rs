//! The acts of proposals: parses, checks and performs them.

use std::sync::Arc;

use musette_core::markets::Market;
use musette_core::terms::{EndingChange, TermId};
use musette_store::{
    ActionApproval, Proposal, RESTRICTIONS_SUBJECT, RULE_PROPOSALS, StoreError, weakened,
};
use serde::{Deserialize, Serialize};

use crate::http::access::approvals::{ApprovalRuleBody, TERMS, checked, replace};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ManageTerms, Reach, Right as _};
use crate::http::terms::console::find;
use crate::http::terms::endings::{code, end, ending_problem, instant};
use crate::http::terms::order::{NewOrder, parse, places, reorder};
use crate::http::wire::body::changed_meanwhile;
use crate::http::wire::problem::Problem;
use crate::node::app::App;
use crate::platform::closed_sets;
use musette_core::session::Role;

/// The error code of a proposal that no longer matches the current state.
const CONFLICT: &str = "conflict";

/// The act of a proposal.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ActBody {
    /// The act.
    #[schema(value_type = closed_sets::ProposedAct)]
    pub act: String,
    /// The id of the version to retire or cancel, or for which to undo that. Only for these acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub term_id: Option<i64>,
    /// The time from which the document is retired. Absent: when the proposal is applied. Only for
    /// `retire_term`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub at: Option<String>,
    /// The type of the terms to reorder. Only for `reorder_terms`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    pub kind: Option<String>,
    /// The new order: the id of every document of the type once, as the current order lists it.
    /// Only for `reorder_terms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200)]
    pub ids: Option<Vec<i64>>,
    /// The revision of the order that the caller has read: the number in its ETag. Only for
    /// `reorder_terms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub revision: Option<i64>,
    /// The complete new approval rules. Only for `replace_rules`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200)]
    pub rules: Option<Vec<ApprovalRuleBody>>,
}

/// The stored content of a proposal: the act, and the rules at the time of the proposal.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredAct {
    #[serde(flatten)]
    pub body: ActBody,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_before: Option<Vec<ApprovalRuleBody>>,
}

/// A proposal that passed the check.
pub struct Checked {
    pub kind: &'static str,
    pub scope: String,
    pub market: Option<Market>,
    pub act: StoredAct,
}

fn invalid(detail: &str) -> Problem {
    Problem::invalid("invalid_request", detail, Vec::new())
}

impl ActBody {
    /// Returns the version and its change. None for another kind of act.
    fn ending(&self) -> Result<Option<(TermId, EndingChange)>, Problem> {
        let change = match self.act.as_str() {
            "retire_term" => EndingChange::Retire(instant(self.at.as_deref())?),
            "cancel_term" => EndingChange::Cancel,
            "undo_retirement" => EndingChange::UndoRetirement,
            "undo_cancellation" => EndingChange::UndoCancellation,
            _ => return Ok(None),
        };
        let id = self
            .term_id
            .ok_or_else(|| invalid("'term_id' is missing. It must be the id of the version."))?;
        Ok(Some((id, change)))
    }

    /// Returns an error if the act is not possible now, or the caller has no permission for it.
    pub async fn check(
        self,
        app: &App,
        caller: &Caller,
        reach: &Reach,
    ) -> Result<Checked, Problem> {
        if let Some((id, change)) = self.ending()? {
            return self.check_ending(app, caller, reach, id, change);
        }
        match self.act.as_str() {
            "reorder_terms" => self.check_order(app, caller, reach).await,
            "replace_rules" => self.check_rules(app, caller).await,
            _ => Err(invalid("'act' is unknown.")),
        }
    }

    fn check_ending(
        self,
        app: &App,
        caller: &Caller,
        reach: &Reach,
        id: TermId,
        change: EndingChange,
    ) -> Result<Checked, Problem> {
        let catalog = Arc::clone(&app.live.load().catalog);
        let term = find(&catalog, &id.to_string())?;
        if !reach.covers(term.market.as_ref()) {
            return Err(Problem::denied_to(&caller.subject));
        }
        catalog.end(id, change, app.now()).map_err(|refusal| ending_problem(&refusal))?;
        let body = Self {
            act: self.act,
            term_id: Some(id),
            at: match change {
                EndingChange::Retire(at) => at.map(|at| at.to_string()),
                _ => None,
            },
            ..Self::default()
        };
        Ok(Checked {
            kind: TERMS,
            scope: term.kind.to_string(),
            market: term.market.clone(),
            act: StoredAct { body, rules_before: None },
        })
    }

    async fn check_order(
        self,
        app: &App,
        caller: &Caller,
        reach: &Reach,
    ) -> Result<Checked, Problem> {
        if reach.markets.is_some() {
            return Err(Problem::denied_to(&caller.subject));
        }
        let kind = self.kind.as_deref().and_then(|kind| parse(kind).ok());
        let (Some(kind), Some(ids), Some(revision)) = (kind, self.ids, self.revision) else {
            return Err(invalid("'type', 'ids' and 'revision' are required."));
        };
        places(app, &kind, &ids)?;
        if app.store.term_order_revision(&kind).await? != revision {
            return Err(changed_meanwhile());
        }
        let body = Self {
            act: self.act,
            kind: Some(kind.to_string()),
            ids: Some(ids),
            revision: Some(revision),
            ..Self::default()
        };
        Ok(Checked {
            kind: TERMS,
            scope: kind.to_string(),
            market: None,
            act: StoredAct { body, rules_before: None },
        })
    }

    async fn check_rules(self, app: &App, caller: &Caller) -> Result<Checked, Problem> {
        if !caller.has(Role::Admin) {
            return Err(Problem::denied_to(&caller.subject));
        }
        let rules = checked(
            self.rules.ok_or_else(|| invalid("'rules' is missing. It must have the new rules."))?,
        )?;
        let before = app.store.approval_rules().await?;
        let mut subjects: Vec<_> =
            weakened(&before, &rules).into_iter().map(|rule| rule.kind).collect();
        subjects.dedup();
        let body = Self {
            act: self.act,
            rules: Some(rules.into_iter().map(ApprovalRuleBody::from).collect()),
            ..Self::default()
        };
        let rules_before = Some(before.into_iter().map(ApprovalRuleBody::from).collect());
        Ok(Checked {
            kind: RULE_PROPOSALS,
            scope: subjects.join(" "),
            market: None,
            act: StoredAct { body, rules_before },
        })
    }
}

impl StoredAct {
    pub fn of(proposal: &Proposal) -> Result<Self, StoreError> {
        serde_json::from_str(&proposal.body)
            .map_err(|_| StoreError::Corrupt(format!("proposal {}", proposal.id)))
    }

    pub fn to_text(&self) -> String {
        // Strings, numbers and booleans always have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the number of approvals that the current rules require.
    pub async fn needed(&self, app: &App, proposal: &Proposal) -> Result<i64, StoreError> {
        let Some(rules) = &self.body.rules else {
            return app.store.approvals_needed(TERMS, &proposal.scope).await;
        };
        let rules: Vec<_> = rules.iter().cloned().map(Into::into).collect();
        let current = app.store.approval_rules().await?;
        Ok(weakened(&current, &rules).iter().map(|rule| rule.needed).max().unwrap_or(0))
    }

    /// Performs the act. The inner error is the code of the reason why it is no longer possible.
    pub async fn perform(
        &self,
        app: &App,
        caller: &Caller,
        act: ActionApproval<'_>,
    ) -> Result<Result<(), &'static str>, Problem> {
        let by = &caller.subject;
        if let Some((id, change)) = self.body.ending()? {
            let result = end(app, by, id, change, act).await?;
            return Ok(result.map_err(|refusal| code(&refusal)));
        }
        let is_applied = match (&self.body.kind, &self.body.ids, &self.body.rules) {
            (Some(kind), Some(ids), _) => {
                let (kind, revision) = (parse(kind)?, self.body.revision.unwrap_or(0));
                // A document was published or ended since then.
                if places(app, &kind, ids).is_err() {
                    return Ok(Err(CONFLICT));
                }
                reorder(app, by, NewOrder { kind: &kind, revision, ids }, act).await?
            }
            (_, _, Some(rules)) => {
                let rows = |rules: &[ApprovalRuleBody]| -> Vec<_> {
                    rules.iter().cloned().map(Into::into).collect()
                };
                let before = self.rules_before.as_deref().map(rows).unwrap_or_default();
                replace(app, by, &rows(rules), Some(&before), act).await?
            }
            _ => return Err(StoreError::Corrupt("the act of a proposal".into()).into()),
        };
        Ok(if is_applied { Ok(()) } else { Err(CONFLICT) })
    }
}

/// Returns whether the caller may approve, reject and apply the proposal. Terms need the permission
/// to manage them; rules need the permission to manage everything that they concern.
pub fn may_decide(caller: &Caller, proposal: &Proposal) -> bool {
    may_decide_with(|roles| caller.reach(roles), proposal)
}

/// Returns [`may_decide`] for the roles of a person. `reach` returns the markets and
/// environments of some roles.
pub fn may_decide_with(reach: impl Fn(&[Role]) -> Option<Reach>, proposal: &Proposal) -> bool {
    use crate::http::access::permission::{ManageFlags, Review};
    if proposal.kind != RULE_PROPOSALS {
        return reach(ManageTerms::ROLES)
            .is_some_and(|reach| reach.covers_code(proposal.market.as_deref()));
    }
    if proposal.scope.is_empty() {
        return reach(&[Role::Admin]).is_some();
    }
    proposal.scope.split(' ').all(|subject| {
        let roles = match subject {
            TERMS => ManageTerms::ROLES,
            RESTRICTIONS_SUBJECT => Review::ROLES,
            _ => ManageFlags::ROLES,
        };
        reach(roles).is_some_and(|reach| reach.markets.is_none() && reach.environments.is_none())
    })
}
