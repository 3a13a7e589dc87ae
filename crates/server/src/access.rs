//! Who may use the program, and how much of it: service keys, rate limits, and records of refused requests.

pub mod limits;
pub mod refusals;
pub mod service_keys;
