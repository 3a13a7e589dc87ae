//! The workload that every engine gets.

pub const FLAGS: usize = 100;
pub const COUNTRIES: [&str; 3] = ["UY", "AR", "CL"];
pub const VERSION_ABOVE: &str = "2.1.0";
pub const HOURS: i64 = 10;

pub const USER: &str = "rider-8d1f6c24";
pub const COUNTRY: &str = "UY";
pub const APP_VERSION: &str = "2.3.1";
pub const WORKED: i64 = 14;

pub fn names() -> impl Iterator<Item = String> {
    (0..FLAGS).map(|n| format!("flag-{n}"))
}
