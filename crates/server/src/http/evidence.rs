//! Receipts, case files and the log.

pub mod case_file;
pub mod console_log;
pub mod log;
pub mod receipt_check;
pub mod receipts;
pub mod timestamps;
