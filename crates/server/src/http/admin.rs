//! `/api/admin/v1`: what operators and admins steer, one file a subject.

pub mod body;
pub mod environments;
pub mod flags;
pub mod keys;
pub mod page;
