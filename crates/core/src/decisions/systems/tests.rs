use super::*;
use crate::instant::Instant;
use crate::markets::Market;

/// Returns a complete description of a fictional system.
pub(crate) fn definition() -> SystemDefinition {
    let data = |category: &str, source: &str| SystemData {
        category: category.to_owned(),
        source: source.to_owned(),
    };
    let parameter = |name: &str, weight| SystemParameter {
        description: format!("{name} counts."),
        name: name.to_owned(),
        weight,
    };
    let german = SystemText {
        name: Some("Auftragsverteilung".to_owned()),
        parameters: Some(vec![
            ParameterText { description: "Entfernung zählt.".into(), name: "Entfernung".into() },
            ParameterText { description: "Fahrzeug zählt.".into(), name: "Fahrzeug".into() },
        ]),
        ..SystemText::default()
    };
    SystemDefinition {
        contact: SystemContact {
            email: Some("help@example.test".to_owned()),
            name: "Rider support".to_owned(),
            phone: None,
        },
        data: vec![data("Location", "The app"), data("Vehicle", "The rider")],
        decisions: vec!["Who is offered an order.".to_owned()],
        human_oversight: Some("A dispatcher can assign an order.".to_owned()),
        kind: SystemKind::Decision,
        locale: Some("en".to_owned()),
        markets: vec!["DE".to_owned()],
        name: "Order dispatch".to_owned(),
        parameters: vec![
            parameter("Distance", ParameterWeight::Main),
            parameter("Vehicle", ParameterWeight::Secondary),
        ],
        purpose: "Offers orders to riders.".to_owned(),
        texts: BTreeMap::from([("de".to_owned(), german)]),
    }
}

#[test]
fn keys_have_one_form() {
    let longest = "a".repeat(63);
    for key in ["a", "order-dispatch", "a1-", &longest] {
        assert!(is_system_key(key), "{key}");
    }
    let too_long = "a".repeat(64);
    for key in ["", "1a", "-a", "A", "a_b", "a.b", "ä", "a ", &too_long] {
        assert!(!is_system_key(key), "{key}");
    }
}

#[test]
fn the_stored_form_is_canonical() {
    let definition = definition();
    let text = serde_json::to_string(&definition).unwrap();
    assert_eq!(text, serde_json_canonicalizer::to_string(&definition).unwrap());
    assert_eq!(serde_json::from_str::<SystemDefinition>(&text).unwrap(), definition);
}

#[test]
fn accepts_a_complete_description_and_names_each_broken_member() {
    assert_eq!(definition().check(), []);
    let errors = |change: fn(&mut SystemDefinition)| {
        let mut definition = definition();
        change(&mut definition);
        let errors = definition.check().into_iter();
        errors.map(|error| (error.pointer, error.code)).collect::<Vec<_>>()
    };
    type Case = (fn(&mut SystemDefinition), &'static str, &'static str);
    let cases: [Case; 24] = [
        (|of| of.name.clear(), "/name", "missing"),
        (|of| of.name = "\u{200b} ".into(), "/name", "missing"),
        (|of| of.name = "a\nb".into(), "/name", "invalid_text"),
        (|of| of.name = "a".repeat(201), "/name", "invalid_text"),
        (|of| of.purpose.clear(), "/purpose", "missing"),
        (|of| of.purpose = "a".repeat(4001), "/purpose", "invalid_text"),
        (|of| of.markets = vec!["DE".into(), "DE".into()], "/markets/1", "duplicate"),
        (|of| of.human_oversight = None, "/human_oversight", "missing"),
        (|of| of.human_oversight = Some(" ".into()), "/human_oversight", "missing"),
        (|of| of.contact.name.clear(), "/contact", "contact_required"),
        (|of| of.contact.email = None, "/contact", "contact_required"),
        (|of| of.contact.phone = Some("\t+4930".into()), "/contact/phone", "invalid_text"),
        (|of| of.contact.phone = Some("see above".into()), "/contact", "contact_required"),
        (|of| of.data[1].source.clear(), "/data/1/source", "missing"),
        (|of| of.data[1] = of.data[0].clone(), "/data/1", "duplicate"),
        (|of| of.parameters[0].description.clear(), "/parameters/0/description", "missing"),
        (|of| of.parameters[1].name = "Distance".into(), "/parameters/1", "duplicate"),
        (|of| of.decisions = vec!["\u{7}".into()], "/decisions/0", "invalid_text"),
        (|of| of.decisions = (0..101).map(|n| n.to_string()).collect(), "/decisions", "too_many"),
        (|of| of.locale = Some("english".repeat(2)), "/locale", "invalid_locale"),
        (|of| of.locale = Some("DE".into()), "/texts/de", "duplicate"),
        (|of| drop(of.texts.insert("fr".into(), SystemText::default())), "/texts/fr", "missing"),
        (|of| drop(of.parameters.pop()), "/texts/de/parameters", "other_length"),
        (
            |of| {
                let text = SystemText { name: Some("x".into()), ..SystemText::default() };
                of.texts.insert("a/b".into(), text);
            },
            "/texts/a~1b",
            "invalid_locale",
        ),
    ];
    for (change, pointer, code) in cases {
        assert_eq!(errors(change), [(pointer.to_owned(), code)], "{pointer} {code}");
    }
    let monitoring = errors(|of| (of.kind, of.human_oversight) = (SystemKind::Monitoring, None));
    assert_eq!(monitoring, []);
    let paragraphs = errors(|of| of.purpose = "One.\n\nTwo.".into());
    assert_eq!(paragraphs, []);
}

#[test]
fn shows_the_language_of_the_reader_and_falls_back_by_member() {
    let definition = definition();
    let german = definition.localized(&["de-AT", "en"]);
    assert_eq!((german.locale(), german.name()), (Some("de"), "Auftragsverteilung"));
    assert_eq!(german.purpose(), "Offers orders to riders.");
    let (name, text, weight) = german.parameters()[0];
    assert_eq!((name, text, weight), ("Entfernung", "Entfernung zählt.", ParameterWeight::Main));
    // English is the language of the description, so German is not chosen before it.
    for ranges in [&["en", "de"][..], &["fr"], &[]] {
        let english = definition.localized(ranges);
        assert_eq!((english.locale(), english.name()), (Some("en"), "Order dispatch"));
        assert_eq!(english.parameters()[0].0, "Distance");
    }
    let unstated = SystemDefinition { locale: None, ..definition };
    assert_eq!(unstated.localized(&["fr"]).locale(), None);
    assert_eq!(unstated.localized(&["en", "de"]).locale(), Some("de"));
}

#[test]
fn reports_each_difference_once() {
    let before = definition();
    assert_eq!(differences(&before, &before), []);
    let mut after = before.clone();
    after.purpose = "Offers and withdraws orders.".to_owned();
    after.kind = SystemKind::Monitoring;
    after.human_oversight = None;
    after.markets = vec!["DE".to_owned(), "ES".to_owned()];
    after.data.remove(1);
    after.data[0].source = "The phone".to_owned();
    after.parameters[1].weight = ParameterWeight::Main;
    after.parameters.push(SystemParameter {
        description: "New.".to_owned(),
        name: "Rating".to_owned(),
        weight: ParameterWeight::Secondary,
    });
    after.contact.phone = Some("+49 30 000".to_owned());
    after.texts.get_mut("de").unwrap().name = Some("Verteilung".to_owned());
    after
        .texts
        .insert("fr".to_owned(), SystemText { name: Some("Envoi".into()), ..Default::default() });
    let changes = differences(&before, &after);
    let lines: Vec<String> = changes
        .iter()
        .map(|change| {
            let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
            let [item, before, after] = [&change.item, &change.before, &change.after].map(text);
            format!("{} [{item}] {before} > {after}", change.field)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "purpose [-] Offers orders to riders. > Offers and withdraws orders.",
            "kind [-] decision > monitoring",
            "markets [-] - > ES",
            "data [Location] The app > The phone",
            "data [Vehicle] The rider > -",
            "parameters [Rating] - > New.",
            "parameters.weight [Vehicle] secondary > main",
            "human_oversight [-] A dispatcher can assign an order. > -",
            "contact.phone [-] - > +49 30 000",
            "texts.de.name [-] Auftragsverteilung > Verteilung",
            "texts.fr [-] - > Envoi",
        ]
    );
    let mut reordered = before.clone();
    reordered.parameters.swap(0, 1);
    let changes = differences(&before, &reordered);
    assert_eq!(changes[0].before.as_deref(), Some("Distance, Vehicle"));
    assert_eq!(changes[0].after.as_deref(), Some("Vehicle, Distance"));
}

/// Changes any one text of a description.
#[test]
fn reports_a_change_of_any_text() {
    let before = definition();
    let text = serde_json::to_string(&before).unwrap();
    let texts = [
        "Order dispatch",
        "Offers orders",
        "Location",
        "The app",
        "Distance\"",
        "Distance counts",
        "\"main\"",
        "Who is",
        "A dispatcher",
        "Rider support",
        "help@",
        "\"DE\"",
        "\"en\"",
        "Auftragsverteilung",
        "Entfernung\"",
        "Entfernung zählt",
    ];
    for part in texts {
        assert!(text.contains(part), "{part}");
        let changed = match part {
            "\"main\"" => text.replacen(part, "\"secondary\"", 1),
            "\"DE\"" => text.replacen(part, "\"AT\"", 1),
            "\"en\"" => text.replacen(part, "\"fr\"", 1),
            _ => text.replacen(part, &format!("X{part}"), 1),
        };
        let after: SystemDefinition = serde_json::from_str(&changed).unwrap();
        assert_ne!(differences(&before, &after), [], "{part}");
    }
}

#[test]
fn the_register_has_the_last_version_in_effect_in_the_market() {
    let at = |day: i64| Instant::from_millis(day * 86_400_000);
    let version = |key: &str, version, markets: &[&str], from: i64, published: i64| SystemVersion {
        key: key.to_owned(),
        version,
        definition: SystemDefinition {
            markets: markets.iter().map(|code| (*code).to_owned()).collect(),
            ..definition()
        },
        effective_from: at(from),
        published_at: at(published),
    };
    let register = SystemRegister::new(vec![
        version("b", 1, &[], 10, 10),
        version("a", 1, &["DE"], 10, 10),
        version("a", 2, &["DE-BE"], 30, 20),
        // Published later for an earlier date: it was not known before.
        version("c", 1, &["ES"], 5, 40),
    ]);
    let listed = |day: i64, market: Option<&str>| {
        let market = market.and_then(Market::from_stored);
        let versions = register.in_effect(at(day), market.as_ref());
        let names = versions.map(|version| format!("{}{}", version.key, version.version));
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(listed(9, None), "");
    assert_eq!(listed(10, None), "a1 b1");
    assert_eq!(listed(10, Some("DE")), "a1 b1");
    assert_eq!(listed(10, Some("DE-BE.berlin")), "a1 b1");
    assert_eq!(listed(10, Some("ES")), "b1");
    assert_eq!(listed(29, Some("DE")), "a1 b1");
    assert_eq!(listed(30, Some("DE")), "b1", "the new version is for Berlin only");
    assert_eq!(listed(30, Some("DE-BE")), "a2 b1");
    assert_eq!(listed(39, Some("ES")), "b1");
    assert_eq!(listed(40, Some("ES")), "b1 c1");
    assert_eq!(register.next_change(at(10)), Some(at(30)));
    assert_eq!(register.next_change(at(30)), Some(at(40)));
    assert_eq!(register.next_change(at(40)), None);
    assert!(register.accepts("a") && !register.accepts("x") && register.has_markets());
    let empty = SystemRegister::default();
    assert!(empty.is_empty() && empty.accepts("x") && !empty.is_published("x"));
}
