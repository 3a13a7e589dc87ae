//! The evidence of decisions: the identity of the log, certificates, case files, exports and imports.

pub mod anchors;
pub mod case;
pub mod certificate;
pub mod export;
pub mod import;
pub mod log;
