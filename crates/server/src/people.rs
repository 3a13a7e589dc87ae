//! People: a CSV file that adds and changes them, all or nothing, and messages to their former addresses.

pub mod contact_notices;
pub mod import;
