//! `/api/admin/v1`: what operators and admins steer, one file a subject.

pub mod body;
pub mod environments;
pub mod experiments;
pub mod flags;
pub mod holdouts;
pub mod keys;
pub mod page;
pub mod results;
