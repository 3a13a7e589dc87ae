//! Outside anchors: statements of other parties about the log's checkpoints. The server collects
//! them in the background, so that a party that is slow or away never delays a consent.

mod client;
mod settings;
mod time_stamps;

pub use settings::AnchorArgs;
pub use time_stamps::{MEASURE_EVERY, TimeStamping};
