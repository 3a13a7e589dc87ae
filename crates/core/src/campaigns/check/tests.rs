use std::collections::BTreeMap;

use crate::campaigns::{
    CampaignDefinition, CampaignStep, CampaignText, Channel, Period, StepDate, StepTime,
};
use crate::instant::Instant;
use crate::terms::{Term, TermKind, TermType, Variant};

fn instant(text: &str) -> Instant {
    Instant::parse(text).expect("an instant")
}

fn term() -> Term {
    let variant = |locale: &str| Variant {
        locale: locale.into(),
        title: "Terms".into(),
        sha256: "ab".repeat(32),
        summary: None,
    };
    Term {
        id: 7,
        kind: TermType::parse("FREELANCER").expect("a type"),
        version: 1,
        mandatory: true,
        display_order: 0,
        effective_from: instant("2027-02-01T00:00:00Z"),
        grace_until: None,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        published_at: instant("2026-11-01T00:00:00Z"),
        market: None,
        instead_of: None,
        variants: vec![variant("de"), variant("en")],
        term_kind: TermKind::Consent,
    }
}

fn text(subject: &str, body: &str) -> CampaignText {
    CampaignText { subject: subject.into(), body: body.into() }
}

fn definition() -> CampaignDefinition {
    let before =
        StepTime::Before(StepDate::EffectiveFrom, Period::parse("P30D").expect("a period"));
    CampaignDefinition {
        term_id: 7,
        market: None,
        steps: vec![CampaignStep { at: before, channel: Channel::Email }],
        texts: BTreeMap::from([(
            "en".to_owned(),
            text("Read {{title}}", "Dear {{name}}\n{{link}}"),
        )]),
        any_time: false,
    }
}

fn codes(definition: &CampaignDefinition) -> Vec<(String, &'static str)> {
    let errors = definition.check(&term());
    errors.into_iter().map(|error| (error.pointer, error.code)).collect()
}

#[test]
fn accepts_a_complete_campaign() {
    assert_eq!(codes(&definition()), []);
}

#[test]
fn reports_each_member_that_breaks_a_rule() {
    let check = |change: fn(&mut CampaignDefinition), pointer: &str, code: &'static str| {
        let mut changed = definition();
        change(&mut changed);
        assert_eq!(codes(&changed), [(pointer.to_owned(), code)]);
    };
    check(|definition| definition.steps.clear(), "/steps", "invalid_value");
    check(|definition| definition.texts.clear(), "/texts", "invalid_value");
    check(
        |definition| definition.steps.push(definition.steps[0].clone()),
        "/steps/1",
        "invalid_value",
    );
    check(
        |definition| {
            let period = Period::parse("P1D").expect("a period");
            definition.steps[0].at = StepTime::Before(StepDate::GraceUntil, period);
        },
        "/steps/0/at/before",
        "no_such_date",
    );
    check(
        |definition| drop(definition.texts.insert("not/a tag".into(), text("a", "b"))),
        "/texts/not~1a tag",
        "invalid_value",
    );
    for subject in ["", "  ", "a\r\nBcc: b", "a\u{2028}b"] {
        let mut changed = definition();
        changed.texts.insert("de".into(), text(subject, "b"));
        assert_eq!(codes(&changed), [("/texts/de/subject".to_owned(), "invalid_value")]);
    }
    for body in ["", " \n", "a\0b", "a\u{1b}b"] {
        let mut changed = definition();
        changed.texts.insert("de".into(), text("a", body));
        assert_eq!(codes(&changed), [("/texts/de/body".to_owned(), "invalid_value")]);
    }
    let mut changed = definition();
    changed.texts.insert("de".into(), text("{{titel}}", "{{token}}"));
    let unknown = "unknown_placeholder";
    let expected = ["/texts/de/subject", "/texts/de/body"].map(|at| (at.to_owned(), unknown));
    assert_eq!(codes(&changed), expected);
}

#[test]
fn chooses_the_language_of_a_person_or_of_the_term() {
    let mut definition = definition();
    definition.texts =
        ["en", "de", "pt-BR"].map(|tag| (tag.to_owned(), text("a", "b"))).into_iter().collect();
    let term = term();
    for (locale, expected) in [
        (Some("de-AT"), Some("de")),
        (Some("pt-BR"), Some("pt-BR")),
        (Some("en-GB"), Some("en")),
        (Some("fr"), Some("de")),
        (None, Some("de")),
    ] {
        assert_eq!(definition.locale_for(locale, &term), expected, "{locale:?}");
    }
    definition.texts.remove("de");
    assert_eq!(definition.locale_for(None, &term), None);
    assert_eq!(definition.locale_for(Some("en-US"), &term), Some("en"));
}

#[test]
fn computes_when_steps_are_due() {
    let (term, start) = (term(), instant("2027-01-20T10:00:00Z"));
    let period = |text: &str| Period::parse(text).expect("a period");
    let due_at = |at: StepTime| CampaignStep { at, channel: Channel::App }.due(&term, start);
    let date = |text: &str| Some(instant(text));
    let before = |text| StepTime::Before(StepDate::EffectiveFrom, period(text));
    assert_eq!(due_at(before("P30D")), date("2027-01-02T00:00:00Z"));
    assert_eq!(due_at(before("P0D")), date("2027-02-01T00:00:00Z"));
    assert_eq!(due_at(StepTime::AfterStart(period("P7D"))), date("2027-01-27T10:00:00Z"));
    assert_eq!(due_at(StepTime::At(5)), Some(Instant::from_millis(5)));
    assert_eq!(due_at(StepTime::Before(StepDate::GraceUntil, period("P1D"))), None);
}

#[test]
fn joins_the_steps_that_are_past_in_one_pass() {
    let (term, start) = (term(), instant("2027-01-20T10:00:00Z"));
    let mut definition = definition();
    let before = |text: &str| {
        StepTime::Before(StepDate::EffectiveFrom, Period::parse(text).expect("a period"))
    };
    let after = StepTime::AfterStart(Period::parse("P0D").expect("a period"));
    let at = [before("P30D"), before("P20D"), after, before("P7D")];
    definition.steps =
        at.into_iter().map(|at| CampaignStep { at, channel: Channel::Email }).collect();
    let passes = definition.passes(&term, start, start, &[0, 1, 2, 3]);
    let expected = [
        (start, vec![1, 0]),
        // A step at the start itself is not past.
        (start, vec![2]),
        (instant("2027-01-25T00:00:00Z"), vec![3]),
    ];
    assert_eq!(passes, expected);
    let later = instant("2027-01-26T00:00:00Z");
    assert_eq!(definition.passes(&term, start, later, &[3]), [(later, vec![3])]);
    assert_eq!(definition.passes(&term, start, start, &[]), []);
}
