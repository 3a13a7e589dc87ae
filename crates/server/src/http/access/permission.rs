//! The permissions of the roles. Each permission is a type. The extractor with this type in a
//! handler's signature is the permission check, and `openapi.json` lists the roles of each
//! operation from the same table.

mod fresh;
mod of_person;
mod of_term;
mod reach;
mod within;

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use musette_core::session::Role::{
    self, Admin, Dispatcher, Legal, Operator, Product, Representative, Reviewer, Support, Viewer,
};

use super::caller::Caller;
use crate::http::wire::problem::Problem;
use crate::node::app::App;
pub use fresh::{FRESH_WITHIN, Fresh};
pub use of_person::MayOf;
pub use of_term::MayOfTerm;
pub use reach::Reach;
pub use within::Within;

/// A permission that only some roles have.
pub trait Right: Send + Sync + 'static {
    /// The name, as in `security(("bearer" = ["…"]))` of a route.
    const NAME: &'static str;
    /// The roles that have the permission.
    const ROLES: &'static [Role];
    /// Further roles that have the permission if the caller is a service key.
    const SERVICE_ROLES: &'static [Role];
    /// True if the permission concerns objects in markets, so that a role for one market does not
    /// cover the others.
    const IN_MARKETS: bool;
    /// True if the permission concerns people, who belong to no environment, so that a role for one
    /// environment does not cover it.
    const ABOUT_PEOPLE: bool;
    /// True if the permission concerns an environment, which the path names.
    const IN_ENVIRONMENTS: bool;
}

/// A permission as the API document needs it.
pub struct RightOf {
    pub name: &'static str,
    pub roles: &'static [Role],
    pub service_roles: &'static [Role],
}

macro_rules! rights {
    ($($(#[doc = $doc:literal])+ $right:ident = $name:literal, $place:ident, $roles:expr
        $(, service keys: $service:expr)?;)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, Copy)]
            pub enum $right {}

            impl Right for $right {
                const NAME: &'static str = $name;
                const ROLES: &'static [Role] = &$roles;
                const SERVICE_ROLES: &'static [Role] = &[$($service)?];
                const IN_MARKETS: bool = matches!(Place::$place, Place::Market | Place::People);
                const ABOUT_PEOPLE: bool = matches!(Place::$place, Place::People);
                const IN_ENVIRONMENTS: bool = matches!(Place::$place, Place::Environment);
            }
        )+

        /// All permissions.
        pub const RIGHTS: &[RightOf] = &[$(RightOf {
            name: $right::NAME,
            roles: $right::ROLES,
            service_roles: $right::SERVICE_ROLES,
        }),+];
    };
}

/// The kind of objects that a permission concerns.
enum Place {
    Nowhere,
    Market,
    /// Also in markets.
    People,
    Environment,
}

rights! {
    /// Read objects that concern neither people nor a market or environment.
    Read = "read", Nowhere, [Viewer, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// Read the audit, which concerns all people.
    ReadAudit = "read_audit", People, [Viewer, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// Read published texts. A representative reads those in effect and to come, and those that they
    /// replace.
    ReadTexts = "read_texts", Market,
        [Viewer, Representative, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// Read terms, their drafts, and the number of people who accepted them.
    ReadTerms = "read_terms", Market, [Viewer, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// List people. Names and addresses are included for [`PERSONAL`] only.
    ReadPeople = "read_people", People, [Viewer, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// List decisions. Their receipt ids give access to the receipts of applicants.
    ReadDecisions = "read_decisions", People, [Support, Legal, Operator, Admin];
    /// Read configurations of flags and results of experiments.
    ReadFlags = "read_flags", Environment, [Viewer, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// Add people, read their data, end their sessions, set their markets.
    ManagePeople = "manage_people", Market, [Support, Operator, Admin];
    /// Draft, publish, cancel and order terms.
    ManageTerms = "manage_terms", Market, [Legal, Operator, Admin];
    /// Read campaigns, without their recipients.
    ReadCampaigns = "read_campaigns", Market, [Viewer, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// Create, start and stop campaigns, and report bounces of their messages.
    ManageCampaigns = "manage_campaigns", People, [Legal, Operator, Admin];
    /// Read the register of automated systems with its drafts.
    ReadSystems = "read_systems", Nowhere,
        [Viewer, Representative, Dispatcher, Reviewer, Support, Legal, Product, Operator, Admin];
    /// Draft and publish descriptions of automated systems, which concern people: a role for one
    /// environment does not cover them.
    ManageSystems = "manage_systems", People, [Legal, Product, Operator, Admin];
    /// Approve, reject and apply proposals. Proposals on terms also need the permission to manage
    /// terms; proposals on rules need the permission to manage what the rules concern.
    DecideProposals = "decide_proposals", Nowhere, [Reviewer, Legal, Product, Operator, Admin];
    /// Read evidence of decisions: exports, receipts, case files.
    ReadEvidence = "read_evidence", Market, [Legal, Operator, Admin];
    /// Change flags, decide on experiments, create flag keys.
    ManageFlags = "manage_flags", Environment, [Product, Operator, Admin];
    /// Read which riders may work.
    ReadGate = "read_gate", Market, [Support, Legal, Operator, Admin], service keys: Viewer;
    /// Read events.
    ReadEvents = "read_events", Market, [Admin], service keys: Viewer;
    /// Read evaluations and restrictions.
    ReadPersonDecisions = "read_person_decisions", People,
        [Dispatcher, Reviewer, Support, Legal, Operator, Admin];
    /// Read counts of evaluations and restrictions by month and market, without any person.
    ReadReports = "read_reports", People, [Representative, Legal, Operator, Admin];
    /// Create and evaluate records of work.
    Dispatch = "dispatch", People, [Dispatcher, Admin];
    /// Answer discussions, and decide restrictions.
    Review = "review", People, [Reviewer, Admin];
    /// Change evaluations: whether a transition is the caller's is decided by the rules.
    ChangeEvaluations = "change_evaluations", People, [Dispatcher, Reviewer, Admin];
    /// Propose restrictions.
    ProposeRestrictions = "propose_restrictions", People, [Dispatcher, Reviewer, Admin];
    /// Impose restrictions, and decide about proposed ones. A service key gets `human_required`.
    DecideRestrictions = "decide_restrictions", People, [Reviewer, Admin], service keys: Dispatcher;
    /// Manage roles, service keys, rules, settings and erasures.
    Administer = "administer", Nowhere, [Admin];
}

/// The roles that may see names, e-mail addresses and phone numbers.
pub const PERSONAL: &[Role] = &[Support, Legal, Operator, Admin];

/// A caller who has the permission in all markets.
#[derive(Debug, Clone)]
pub struct May<R> {
    pub caller: Caller,
    right: PhantomData<R>,
}

impl<R: Right> FromRequestParts<Arc<App>> for May<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Within { caller, reach, .. } = Within::<R>::from_request_parts(parts, app).await?;
        // The object may be in any market, and there is no list to filter.
        if R::IN_MARKETS && reach.markets.is_some() {
            return Err(Problem::denied_to(&caller.subject));
        }
        Ok(Self { caller, right: PhantomData })
    }
}

/// Returns a parameter of the path.
async fn path_part(parts: &mut Parts, app: &Arc<App>, name: &str) -> Option<String> {
    let path: Result<Path<HashMap<String, String>>, _> = Path::from_request_parts(parts, app).await;
    path.ok().and_then(|Path(mut path)| path.remove(name))
}
