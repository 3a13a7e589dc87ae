//! Code without knowledge of the product: time, randomness, files, text formats, traces.

pub mod backups;
pub mod clock;
pub mod closed_sets;
pub mod counted;
pub mod csv;
pub mod delimited;
pub mod etag;
pub mod private_files;
pub mod random;
pub mod redaction;
pub mod retention;
pub mod slots;
pub mod stale_while_revalidate;
pub mod test_mode;
pub mod text_file;
pub mod traces;
