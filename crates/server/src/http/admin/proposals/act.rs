//! What a proposal does: reading it, checking it when it is proposed, and carrying it out.

use std::sync::Arc;

use musette_core::markets::Market;
use musette_core::terms::{EndingChange, TermId};
use musette_store::{Act, Proposal, RULE_PROPOSALS, StoreError, weakened};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::closed_sets;
use crate::http::admin::approvals::{ApprovalRuleBody, TERMS, checked, replace};
use crate::http::admin::body::changed_meanwhile;
use crate::http::admin::term_endings::{code, end, instant, refused};
use crate::http::admin::term_order::{NewOrder, parse, places, reorder};
use crate::http::admin::terms::find;
use crate::http::caller::Caller;
use crate::http::permission::{ManageTerms, Reach, Right as _};
use crate::http::problem::Problem;
use musette_core::session::Role;

/// The refusal of a proposal that does not fit what is there by now.
const CONFLICT: &str = "conflict";

/// What a proposal does.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ActBody {
    /// What is done.
    #[schema(value_type = closed_sets::ProposedAct)]
    pub act: String,
    /// The version that is retired or cancelled, or for which that is undone. Only for these acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub term_id: Option<i64>,
    /// From when on the document is retired. Absent: as soon as the proposal is applied. Only for `retire_term`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub at: Option<String>,
    /// The type of the terms that are reordered. Only for `reorder_terms`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    pub kind: Option<String>,
    /// The new order: every document of the type once, by the id that the order lists for it. Only for `reorder_terms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200)]
    pub ids: Option<Vec<i64>>,
    /// The revision of the order that was read: the number in its ETag. Only for `reorder_terms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub revision: Option<i64>,
    /// All rules of approval as they will be. Only for `replace_rules`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200)]
    pub rules: Option<Vec<ApprovalRuleBody>>,
}

/// What is stored of a proposal: the act, and the rules that it was made from.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredAct {
    #[serde(flatten)]
    pub body: ActBody,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_before: Option<Vec<ApprovalRuleBody>>,
}

/// A proposal that may be stored.
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
    /// The version and what becomes of it; none for an act of another kind.
    fn ending(&self) -> Result<Option<(TermId, EndingChange)>, Problem> {
        let change = match self.act.as_str() {
            "retire_term" => EndingChange::Retire(instant(self.at.as_deref())?),
            "cancel_term" => EndingChange::Cancel,
            "undo_retirement" => EndingChange::UndoRetirement,
            "undo_cancellation" => EndingChange::UndoCancellation,
            _ => return Ok(None),
        };
        let id = self.term_id.ok_or_else(|| invalid("'term_id' names the version."))?;
        Ok(Some((id, change)))
    }

    /// Refuses what could not be carried out now, and what the caller has no right to.
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
            _ => Err(invalid("'act' is not known.")),
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
        catalog.end(id, change, app.now()).map_err(|refusal| refused(&refusal))?;
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
            return Err(invalid("'type', 'ids' and 'revision' say the order."));
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
        let rules = checked(self.rules.ok_or_else(|| invalid("'rules' are the new rules."))?)?;
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

    /// The approvals that the rules demand by now.
    pub async fn needed(&self, app: &App, proposal: &Proposal) -> Result<i64, StoreError> {
        let Some(rules) = &self.body.rules else {
            return app.store.approvals_needed(TERMS, &proposal.scope).await;
        };
        let rules: Vec<_> = rules.iter().cloned().map(Into::into).collect();
        let now = app.store.approval_rules().await?;
        Ok(weakened(&now, &rules).iter().map(|rule| rule.needed).max().unwrap_or(0))
    }

    /// Carries the proposal out. The inner error is the code of why it cannot be any more.
    pub async fn carry_out(
        &self,
        app: &App,
        caller: &Caller,
        act: Act<'_>,
    ) -> Result<Result<(), &'static str>, Problem> {
        let by = &caller.subject;
        if let Some((id, change)) = self.body.ending()? {
            let ended = end(app, by, id, change, act).await?;
            return Ok(ended.map_err(|refusal| code(&refusal)));
        }
        let done = match (&self.body.kind, &self.body.ids, &self.body.rules) {
            (Some(kind), Some(ids), _) => {
                let (kind, revision) = (parse(kind)?, self.body.revision.unwrap_or(0));
                // A document was published or ended since.
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
        Ok(if done { Ok(()) } else { Err(CONFLICT) })
    }
}

/// Whether the caller may approve, send back and apply the proposal: terms by the right to manage them, rules by the
/// right to manage everything that they are about.
pub fn may_decide(caller: &Caller, proposal: &Proposal) -> bool {
    may_decide_with(|roles| caller.reach(roles), proposal)
}

/// [`may_decide`] for the grants of a person, of whom `reach` tells how far these roles reach.
pub fn may_decide_with(reach: impl Fn(&[Role]) -> Option<Reach>, proposal: &Proposal) -> bool {
    use crate::http::permission::ManageFlags;
    if proposal.kind != RULE_PROPOSALS {
        return reach(ManageTerms::ROLES)
            .is_some_and(|reach| reach.covers_code(proposal.market.as_deref()));
    }
    if proposal.scope.is_empty() {
        return reach(&[Role::Admin]).is_some();
    }
    proposal.scope.split(' ').all(|subject| {
        let roles = if subject == TERMS { ManageTerms::ROLES } else { ManageFlags::ROLES };
        reach(roles).is_some_and(|it| it.markets.is_none() && it.environments.is_none())
    })
}
