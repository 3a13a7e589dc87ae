//! `MUSETTE_TEST=1`: the settings that only tests may use are allowed, and one-time codes are printed.

pub fn is_test() -> bool {
    std::env::var("MUSETTE_TEST").is_ok_and(|value| value == "1")
}

/// Whether page images are encoded in less time, into larger files: half of what drawing a document takes.
pub fn has_fast_images() -> bool {
    is_test() && std::env::var("MUSETTE_TEST_IMAGES").is_ok_and(|value| value == "fast")
}
