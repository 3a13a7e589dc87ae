//! Outside anchors: statements of other parties about the log's checkpoints. The server collects
//! them in the background, so that a party that is slow or away never delays a consent.

mod add_checkpoint;
pub mod client;
pub mod remote_log;
mod settings;
mod time_stamps;
pub mod watching;
mod witness_policy;
mod witnesses;

pub use settings::AnchorArgs;
pub use time_stamps::{MEASURE_EVERY, TimeStamping};
pub use witness_policy::WitnessPolicy;
pub use witnesses::Witnesses;
