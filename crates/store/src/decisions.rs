//! Decisions about people that automated systems make or support.

pub(crate) mod systems;
