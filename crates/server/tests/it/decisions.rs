//! Decisions about people that automated systems make or support.

mod systems;
