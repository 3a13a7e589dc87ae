//! The assigned codes of countries and subdivisions, from CLDR.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One line per country: its code, then the codes of its subdivisions, sorted.
const CODES: &str = include_str!("codes.txt");

static BY_COUNTRY: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = CODES.lines().filter(|line| !line.starts_with('#'));
    let countries = lines.filter_map(|line| {
        let mut codes = line.split(' ');
        Some((codes.next()?, codes.collect()))
    });
    countries.collect()
});

/// Returns whether the country is assigned and has this subdivision.
pub(super) fn is_assigned(country: &str, subdivision: Option<&str>) -> bool {
    BY_COUNTRY
        .get(country)
        .is_some_and(|codes| subdivision.is_none_or(|code| codes.binary_search(&code).is_ok()))
}
