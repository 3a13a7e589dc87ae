//! Decisions about people that automated systems make or support.

pub mod systems;
