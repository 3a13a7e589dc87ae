//! Operations on decisions about people that automated systems make or support.

pub mod public_systems;
pub mod systems;
