//! People in bulk: a CSV file that adds and changes them, all or nothing.

pub mod import;
