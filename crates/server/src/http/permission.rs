//! What the roles may do. A right is a type; the extractor that names it in a handler's signature is the
//! permission check, and `openapi.json` lists the roles of each call from the same table.

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
use musette_core::session::Role::{self, Admin, Legal, Operator, Product, Support, Viewer};

use super::caller::Caller;
use super::problem::Problem;
use crate::app::App;
pub use fresh::{FRESH_WITHIN, Fresh};
pub use of_person::MayOf;
pub use of_term::MayOfTerm;
pub use reach::Reach;
pub use within::Within;

/// Something that only some roles may do.
pub trait Right: Send + Sync + 'static {
    /// Its name, as `security(("bearer" = ["…"]))` of a route has it.
    const NAME: &'static str;
    /// Who has it.
    const ROLES: &'static [Role];
    /// Who has it beside them, if it is a service key.
    const SERVICE_ROLES: &'static [Role];
    /// What it is about lies in a market, so that a grant for one market is not for the others.
    const IN_MARKETS: bool;
    /// It is about people, of whom none is in an environment: a grant for one environment does not reach there.
    const ABOUT_PEOPLE: bool;
    /// What it is about lies in an environment, which the address names.
    const IN_ENVIRONMENTS: bool;
}

/// A right as the API document needs it.
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

        /// Every right.
        pub const RIGHTS: &[RightOf] = &[$(RightOf {
            name: $right::NAME,
            roles: $right::ROLES,
            service_roles: $right::SERVICE_ROLES,
        }),+];
    };
}

/// Where what a right is about lies.
enum Place {
    Nowhere,
    Market,
    /// In markets, too.
    People,
    Environment,
}

rights! {
    /// Read what concerns neither people nor a market or environment.
    Read = "read", Nowhere, [Viewer, Support, Legal, Product, Operator, Admin];
    /// Read the audit, which is about everybody.
    ReadAudit = "read_audit", People, [Viewer, Support, Legal, Product, Operator, Admin];
    /// Read terms, their drafts, and how many people accepted.
    ReadTerms = "read_terms", Market, [Viewer, Support, Legal, Product, Operator, Admin];
    /// List people. Names and addresses are in it for [`PERSONAL`] only.
    ReadPeople = "read_people", People, [Viewer, Support, Legal, Product, Operator, Admin];
    /// List decisions. Their receipt ids open the receipts of applicants.
    ReadDecisions = "read_decisions", People, [Support, Legal, Operator, Admin];
    /// Read configurations of flags and results of experiments.
    ReadFlags = "read_flags", Environment, [Viewer, Support, Legal, Product, Operator, Admin];
    /// Look after people: add them, read their data, end their sessions, move them.
    ManagePeople = "manage_people", Market, [Support, Operator, Admin];
    /// Draft, publish, cancel and order terms.
    ManageTerms = "manage_terms", Market, [Legal, Operator, Admin];
    /// Approve, reject and apply proposals: of terms with the right to manage terms, of rules with the right to what the
    /// rules are about.
    DecideProposals = "decide_proposals", Nowhere, [Legal, Product, Operator, Admin];
    /// Read what proves decisions: exports, receipts, case files.
    ReadEvidence = "read_evidence", Market, [Legal, Operator, Admin];
    /// Change flags, decide about experiments, make flag keys.
    ManageFlags = "manage_flags", Environment, [Product, Operator, Admin];
    /// Read who may work.
    ReadGate = "read_gate", Market, [Support, Legal, Operator, Admin], service keys: Viewer;
    /// Read events.
    ReadEvents = "read_events", Market, [Admin], service keys: Viewer;
    /// Steer who may do what: roles, keys of programs, rules, settings, erasure.
    Administer = "administer", Nowhere, [Admin];
}

/// Who sees names, e-mail addresses and phone numbers.
pub const PERSONAL: &[Role] = &[Support, Legal, Operator, Admin];

/// A caller who has the right, wherever what they ask for lies.
#[derive(Debug, Clone)]
pub struct May<R> {
    pub caller: Caller,
    right: PhantomData<R>,
}

impl<R: Right> FromRequestParts<Arc<App>> for May<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Within { caller, reach, .. } = Within::<R>::from_request_parts(parts, app).await?;
        // What is asked for is in no list that could be shortened, and may lie in any market.
        if R::IN_MARKETS && reach.markets.is_some() {
            return Err(Problem::denied_to(&caller.subject));
        }
        Ok(Self { caller, right: PhantomData })
    }
}

/// A part of the path.
async fn path_part(parts: &mut Parts, app: &Arc<App>, name: &str) -> Option<String> {
    let path: Result<Path<HashMap<String, String>>, _> = Path::from_request_parts(parts, app).await;
    path.ok().and_then(|Path(mut path)| path.remove(name))
}
