//! What happens to sessions: who a provider's identity signs in as, how sessions go on and how they end.

mod company;
mod end;
mod password;
mod refresh;

pub use company::{NoEntry, person_of};
pub use refresh::{RefreshRefusal, Standing, end_reused, find, refresh};
