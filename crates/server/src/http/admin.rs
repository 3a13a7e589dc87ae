//! `/api/admin/v1`: what operators and admins steer, one file a subject.

pub mod audit;
pub mod body;
pub mod case_file;
pub mod consents;
pub mod coverage;
pub mod drafts;
pub mod environments;
pub mod erasure;
pub mod experiments;
pub mod flags;
pub mod holdouts;
pub mod keys;
pub mod links;
pub mod log;
pub mod metrics;
pub mod overview;
pub mod page;
pub mod people;
pub mod person_data;
pub mod receipts;
pub mod results;
pub mod roles;
pub mod sessions;
pub mod settings;
pub mod term_order;
pub mod terms;
