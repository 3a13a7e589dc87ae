use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::{Consent, Entry, Evidence, Method, Submission, UserType, V1};
use musette_core::log::hash::Hash;
use musette_core::log::key::Signer;
use musette_core::log::receipt::Receipt;
use musette_core::log::subject::SubjectKey;
use musette_core::terms::{Catalog, Term, TermKind, TermType, Variant};
use musette_render::{Limits, Rendered, render};

use super::texts::every;
use super::{Content, certificate, texts};

fn term(id: i64, kind: &str, titles: &[(&str, &str)], mandatory: bool) -> Term {
    let variant = |(at, &(locale, title)): (usize, &(&str, &str))| Variant {
        locale: locale.into(),
        title: title.into(),
        sha256: hash(id, at),
        summary: None,
    };
    Term {
        id,
        kind: TermType::parse(kind).expect("a type"),
        version: 2,
        term_kind: TermKind::Consent,
        mandatory,
        display_order: id,
        effective_from: Instant::from_millis(0),
        grace_until: None,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        published_at: Instant::from_millis(0),
        market: None,
        instead_of: None,
        variants: titles.iter().enumerate().map(variant).collect(),
    }
}

fn hash(id: i64, at: usize) -> String {
    format!("{id:03x}{at:x}").repeat(16)
}

fn catalog() -> Catalog {
    let agreement = [
        ("en", "Freelancer agreement"),
        ("de", "Vereinbarung für freie Fahrer"),
        ("ar", "اتفاقية العمل الحر"),
    ];
    let messages =
        [("en", "Marketing messages"), ("de", "Werbenachrichten"), ("ar", "رسائل تسويقية")];
    Catalog::new(vec![
        term(1, "FREELANCER", &agreement, true),
        term(2, "MARKETING", &messages, false),
    ])
}

fn consent(term: i64, at: usize, accepted: bool) -> Consent {
    Consent {
        accepted,
        consented_at: "2026-11-21T10:29:58.250+01:00".into(),
        evidence: if accepted { Evidence::Presented } else { Evidence::Inferred },
        last_page: accepted.then_some(3),
        method: Some(if accepted { Method::AgreeAll } else { Method::Tick }),
        opened: Some(accepted),
        sha256: hash(term, at),
        terms_and_conditions_id: term,
    }
}

fn signer() -> Signer {
    Signer::from_seed("rides.example/4f1d", &[7; 32]).expect("a signer")
}

fn receipt(user_type: UserType, consents: Vec<Consent>) -> Receipt {
    let key = SubjectKey::new([9; 32]);
    let id = "GzVq1Y0mD0e8v7uQXbq5mT3c2pWkZr4A".to_owned();
    let entry = Entry::Submission(Submission {
        amr: None,
        app_sha256: None,
        app: Some("rider 1.4.0".into()),
        consents,
        continues: None,
        id: "0193-entry".into(),
        locale: None,
        market: None,
        recorded_at: "2026-11-21T09:30:00.125Z".into(),
        subject: key.subject("rider-1042"),
        user_type,
        v: V1,
    });
    let entry = entry.encode().expect("an entry");
    let head = Checkpoint {
        origin: "rides.example/4f1d".into(),
        size: 1,
        root: Hash::leaf(entry.as_bytes()),
    };
    let note = head.sign(&signer()).expect("a note").to_string();
    Receipt::build(id, 0, entry, Vec::new(), note, &key)
}

fn content(receipt: &Receipt) -> Content {
    let vkey = signer().verifier().to_string();
    let user_id = Some("rider-1042".to_owned());
    let address = "https://rides.example/log/key".to_owned();
    let content = Content::new(receipt, &catalog(), user_id, &|_| Some(vkey.clone()), address);
    content.expect("content")
}

fn certificate_of(receipt: &Receipt, language: &str) -> Vec<u8> {
    certificate(receipt, &content(receipt), texts(language)).expect("a PDF")
}

fn read(pdf: &[u8]) -> Rendered {
    render(pdf, &Limits::default()).expect("a document")
}

/// Writes the PDF to the folder `MUSETTE_KEEP`, to be inspected.
fn keep(name: &str, pdf: &[u8]) {
    if let Ok(folder) = std::env::var("MUSETTE_KEEP") {
        std::fs::write(format!("{folder}/{name}.pdf"), pdf).expect("a file");
    }
}

#[test]
fn contains_the_person_the_decisions_the_time_and_the_documents() {
    for (at, language, expected) in [
        (0, "en", ["Certificate of consent", "Freelancer agreement", "rider-1042", "Accepted"]),
        (
            1,
            "de",
            ["Bescheinigung der Zustimmung", "Werbenachrichten", "freie Fahrer", "Version 2"],
        ),
        (2, "ar", ["شهادة موافقة", "رسائل تسويقية", "rider-1042", "اختياري"]),
    ] {
        let receipt = receipt(UserType::Rider, vec![consent(1, at, true), consent(2, at, false)]);
        let pdf = certificate_of(&receipt, language);
        keep(language, &pdf);
        let page = read(&pdf);
        assert_eq!(page.pages.len(), 1);
        let id = receipt.id.clone();
        let facts = [id, hash(1, at), hash(2, at), "2026-11-21 09:30:00.125 UTC".into()];
        for fact in facts.iter().map(String::as_str).chain(expected) {
            assert!(page.text.contains(fact), "{language}: {fact} is not in {}", page.text);
        }
        // The receipt, whose content the page shows, is attached.
        let attachments: Vec<_> =
            page.findings.iter().map(|finding| finding.name.as_str()).collect();
        assert_eq!(attachments, ["receipt.json"]);
    }
}

#[test]
fn names_the_company() {
    let receipt = receipt(UserType::Rider, vec![consent(1, 0, true)]);
    let text = |company: Option<&str>| {
        let content = content(&receipt).of_company(company.map(str::to_owned));
        read(&certificate(&receipt, &content, texts("en")).expect("a PDF")).text
    };
    assert!(text(None).contains("Musette"));
    let of_company = text(Some("Larkspur Couriers"));
    assert!(of_company.contains("Larkspur Couriers"), "{of_company}");
    assert!(!of_company.contains("Musette"), "{of_company}");
}

#[test]
fn has_one_page_without_missing_glyphs_in_every_language() {
    let receipt = receipt(UserType::Applicant, vec![consent(1, 0, true), consent(2, 0, false)]);
    for texts in every() {
        let pdf = certificate_of(&receipt, texts.tag);
        keep(&format!("applicant-{}", texts.tag), &pdf);
        let page = read(&pdf);
        assert_eq!(page.pages.len(), 1, "{}", texts.tag);
        assert!(!page.text.contains('\u{fffd}'), "{}: {}", texts.tag, page.text);
        assert!(page.text.contains(&receipt.id), "{}", texts.tag);
        // The certificate of an applicant must not contain a user ID.
        assert!(!page.text.contains("rider-1042"), "{}", texts.tag);
    }
}

#[test]
fn the_same_receipt_results_in_the_same_bytes() {
    let receipt = receipt(UserType::Rider, vec![consent(1, 0, true)]);
    assert_eq!(certificate_of(&receipt, "de"), certificate_of(&receipt, "de"));
    assert_ne!(certificate_of(&receipt, "de"), certificate_of(&receipt, "en"));
}

#[test]
fn a_hundred_decisions_fit_on_one_page() {
    let consents: Vec<Consent> = (1..=100).map(|id| consent(id, 0, true)).collect();
    let pdf = certificate_of(&receipt(UserType::Rider, consents), "en");
    keep("hundred", &pdf);
    let page = read(&pdf);
    assert_eq!(page.pages.len(), 1);
    for id in 1..=100 {
        assert!(page.text.contains(&hash(id, 0)), "{id}");
    }
}

#[test]
fn sets_titles_of_any_script_and_length() {
    let long = "Ausführliche ".repeat(60);
    for title in [&long, "条款 и условия", "\u{202e}reversed\u{0}", "🚲", &"x".repeat(400), ""]
    {
        let catalog = Catalog::new(vec![term(1, "FREELANCER", &[("en", title)], true)]);
        let receipt = receipt(UserType::Rider, vec![consent(1, 0, true)]);
        let vkey = signer().verifier().to_string();
        let address = "/log/key".to_owned();
        let content = Content::new(&receipt, &catalog, None, &|_| Some(vkey.clone()), address);
        let pdf = certificate(&receipt, &content.expect("content"), texts("en"));
        let page = read(&pdf.unwrap_or_else(|error| panic!("{title}: {error}")));
        assert!(page.text.contains(&hash(1, 0)), "{title}: {}", page.text);
    }
}

#[test]
fn the_qr_code_contains_the_url_of_the_receipt_or_its_number() {
    let receipt = receipt(UserType::Rider, vec![consent(1, 2, true)]);
    let address = format!("https://terms.a-long-name.rides.example/receipt#{}", receipt.id);
    for (language, page_address, expected) in [
        ("en", None, &receipt.id),
        ("ar", None, &receipt.id),
        ("en", Some("https://terms.a-long-name.rides.example/receipt"), &address),
        ("ar", Some("https://terms.a-long-name.rides.example/receipt"), &address),
    ] {
        let content = content(&receipt).opened_at(page_address.map(str::to_owned));
        let pdf = certificate(&receipt, &content, texts(language)).expect("a PDF");
        keep(&format!("code-{language}"), &pdf);
        let page = read(&pdf).pages.remove(0);
        let pixels = webp::Decoder::new(&page.image_2x).decode().expect("a WebP");
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let grey = |x: usize, y: usize| pixels[(y * width + x) * 3];
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
        let codes: Vec<String> =
            image.detect_grids().iter().map(|grid| grid.decode().expect("a code").1).collect();
        assert_eq!(codes, std::slice::from_ref(expected), "{language}");
    }
}
