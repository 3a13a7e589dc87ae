//! The lifecycle of sessions: which user an identity of a provider signs in as, and how sessions
//! are renewed and ended.

mod company;
mod end;
mod password;
mod refresh;

pub use company::{NoEntry, person_of};
pub use refresh::{RefreshRefusal, Standing, end_reused, find, refresh};
