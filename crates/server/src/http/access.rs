//! Callers, their permissions, and the console's operations on approvals, roles, service keys and the audit.

pub mod approvals;
pub mod audit;
pub mod audit_log;
pub mod caller;
pub mod permission;
pub mod proposals;
pub mod roles;
pub mod service_keys;
