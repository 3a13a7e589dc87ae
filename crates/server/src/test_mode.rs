//! `MUSETTE_TEST=1`: the settings that only tests may use are allowed, and one-time codes are printed.

pub fn is_test() -> bool {
    std::env::var("MUSETTE_TEST").is_ok_and(|value| value == "1")
}
