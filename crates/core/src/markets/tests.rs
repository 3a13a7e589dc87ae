use proptest::prelude::*;

use super::Market;

fn market(text: &str) -> Market {
    Market::parse(text).unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn a_market_is_a_country_a_subdivision_or_a_place_in_either() {
    let longest = format!("DE.{}", "a".repeat(40));
    for text in
        ["DE", "DE-BE", "DE-BE.berlin", "UY.montevideo", "FR-75C", "GB-ENG", "US-NY.9-x", &longest]
    {
        assert_eq!(Market::parse(text).map(|market| market.to_string()).as_deref(), Some(text));
    }
    let too_long = format!("DE.{}", "a".repeat(41));
    for text in [
        "",
        "de",
        "D",
        "DEU",
        "DE-",
        "DE-be",
        "DE-BE-X",
        "DE.",
        "DE-BE.",
        "DE-BE.-a",
        "DE-BE.a-",
        "DE-BE.Berlin",
        "DE-BE.ber lin",
        "DE-BE.a.b",
        "DE-BE.a_b",
        ".berlin",
        "-BE",
        " DE",
        "DE ",
        "DÉ",
        "DE-BE.é",
        "276",
        &too_long,
    ] {
        assert!(Market::parse(text).is_none(), "{text:?}");
        assert!(Market::from_stored(text).is_none(), "{text:?}");
    }
}

#[test]
fn rejects_unassigned_codes_but_reads_stored_ones() {
    for text in ["XX", "ZZ", "AA", "EU", "DE-XX", "DE-MO", "UY-BE", "VA-RM", "XX.place"] {
        assert!(Market::parse(text).is_none(), "{text}");
        assert!(Market::from_stored(text).is_some(), "{text}");
    }
}

#[test]
fn a_market_is_inside_each_market_whose_parts_it_starts_with() {
    for (inner, outer) in [
        ("DE", "DE"),
        ("DE-BE", "DE"),
        ("DE.berlin", "DE"),
        ("DE-BE.berlin", "DE"),
        ("DE-BE.berlin", "DE-BE"),
    ] {
        assert!(market(inner).is_within(&market(outer)), "{inner} in {outer}");
        assert!(market(outer).contains(&market(inner)));
    }
    for (inner, outer) in [
        ("DE", "DE-BE"),
        ("DE-BE.berlin", "DE-BE.ber"),
        ("DE-BE.ber-lin", "DE-BE.ber"),
        ("DE-BE.berlin", "DE.berlin"),
        ("DE-BE", "DE-BB"),
        ("UY.montevideo", "UY-MO"),
        ("DK", "DE"),
    ] {
        assert!(!market(inner).is_within(&market(outer)), "{inner} in {outer}");
    }
}

#[test]
fn lists_containing_markets_from_the_narrowest() {
    for (text, around) in [
        ("DE", &["DE"][..]),
        ("DE-BE", &["DE-BE", "DE"]),
        ("UY.montevideo", &["UY.montevideo", "UY"]),
        ("DE-BE.berlin", &["DE-BE.berlin", "DE-BE", "DE"]),
    ] {
        let actual: Vec<String> =
            market(text).with_around().map(|market| market.to_string()).collect();
        assert_eq!(actual, around);
        assert_eq!(market(text).depth(), around.len());
    }
}

proptest! {
    #[test]
    fn any_text_is_rejected_or_printed_as_it_was_read(text in "[A-Z]{1,3}(-[A-Z0-9]{0,5})?(\\.[a-zA-Z0-9-]{0,42})?") {
        if let Some(market) = Market::from_stored(&text) {
            prop_assert_eq!(market.as_str(), &text);
            prop_assert!(market.is_within(&market));
            prop_assert!(market.with_around().all(|outer| market.is_within(&outer)));
        }
    }
}
