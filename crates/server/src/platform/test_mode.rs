//! The test mode, `MUSETTE_TEST=1`: allows settings for tests, and prints one-time codes.

pub fn is_test() -> bool {
    std::env::var("MUSETTE_TEST").is_ok_and(|value| value == "1")
}

/// Returns whether page images are encoded faster into larger files, which takes half of the time
/// to render a document.
pub fn has_fast_images() -> bool {
    is_test() && std::env::var("MUSETTE_TEST_IMAGES").is_ok_and(|value| value == "fast")
}
