use proptest::prelude::*;

use super::{
    Chained, History, LogExtended, LogExtendedType, NoticeKind, PersonErased, PersonErasedType,
    TermPublished, TermPublishedType, TermsOrdered, TermsOrderedType,
};
use super::{
    Claim, ClaimKind, Consent, Continuation, ContinuationKind, Entry, EntryError, Evidence,
    LENGTH_MAX, Method, Submission, UserType, V1,
};

fn consent(term: i64) -> Consent {
    Consent {
        accepted: true,
        consented_at: "2026-11-21T10:30:00+01:00".into(),
        evidence: Evidence::Presented,
        last_page: Some(3),
        method: Some(Method::AgreeAll),
        opened: Some(true),
        sha256: "ab".repeat(32),
        terms_and_conditions_id: term,
    }
}

fn submission(terms: impl IntoIterator<Item = i64>) -> Submission {
    Submission {
        amr: None,
        app: None,
        app_sha256: None,
        consents: terms.into_iter().map(consent).collect(),
        continues: None,
        id: "0193-entry".into(),
        locale: None,
        market: None,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        subject: "cd".repeat(32),
        user_type: UserType::Rider,
        v: V1,
    }
}

fn claim() -> Claim {
    Claim {
        claimed_entry: "0193-entry".into(),
        claimed_subject: "cd".repeat(32),
        id: "0194-claim".into(),
        kind: ClaimKind::Claim,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        subject: "ef".repeat(32),
        v: V1,
    }
}

fn continuation() -> Continuation {
    let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    Continuation {
        checkpoint: format!("old.example\n7\n{root}\n\n\u{2014} old.example AAAAAAA=\n"),
        id: "0195-start".into(),
        kind: ContinuationKind::Continuation,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        v: V1,
    }
}

fn published() -> TermPublished {
    let seal = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=".to_owned();
    TermPublished {
        approved_by: vec![],
        backfilled: false,
        document_seals: [("de", &seal), ("en", &seal)]
            .map(|(locale, seal)| (locale.to_owned(), seal.clone()))
            .into(),
        effective_from: "2026-12-01T00:00:00.000Z".into(),
        grace_until: None,
        instead_of: None,
        term_kind: None,
        mandatory: true,
        market: None,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        seal,
        sha256: [("de", "ab"), ("en", "cd")]
            .map(|(locale, byte)| (locale.to_owned(), byte.repeat(32)))
            .into(),
        terms_and_conditions_id: 17,
        kind: TermPublishedType::TermPublished,
        v: V1,
        written_by: vec!["ef".repeat(32)],
    }
}

fn ordered() -> TermsOrdered {
    TermsOrdered {
        backfilled: false,
        places: vec![(17, 1), (3, -2)],
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        kind: TermsOrderedType::TermsOrdered,
        v: V1,
    }
}

fn erased() -> PersonErased {
    PersonErased {
        backfilled: true,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        subjects: vec!["cd".repeat(32)],
        kind: PersonErasedType::PersonErased,
        v: V1,
    }
}

fn chained(history: History) -> Chained {
    Chained {
        count: 12,
        hash: "cd".repeat(32),
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        history,
        v: V1,
    }
}

fn extended() -> LogExtended {
    LogExtended {
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        kind: LogExtendedType::LogExtended,
        v: V1,
    }
}

fn text() -> String {
    Entry::Submission(submission([17])).encode().unwrap()
}

fn canonical(text: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    serde_json_canonicalizer::to_string(&value).unwrap()
}

#[test]
fn a_submission_is_written_in_canonical_form() {
    let expected = format!(
        concat!(
            r#"{{"consents":[{{"accepted":true,"consented_at":"2026-11-21T10:30:00+01:00","#,
            r#""evidence":"presented","last_page":3,"method":"agree_all","opened":true,"#,
            r#""sha256":"{}","terms_and_conditions_id":17}}],"id":"0193-entry","#,
            r#""recorded_at":"2026-11-21T09:30:00.123Z","subject":"{}","user_type":"RIDER","v":1}}"#,
        ),
        "ab".repeat(32),
        "cd".repeat(32),
    );
    assert_eq!(text(), expected);
}

#[test]
fn every_kind_reads_back_and_equals_the_output_of_a_canonicalizer() {
    let bare = Consent { last_page: None, method: None, opened: None, ..consent(2) };
    let mut full = submission([1]);
    full.consents.push(bare);
    full.app = Some("musette/1.0 \"quoted\" \\ \u{1}\u{8}\u{c}\u{7f}\u{2028}/ \u{1f6b2}".into());
    full.locale = Some("ar-EG".into());
    full.continues = Some("0192-earlier".into());
    full.user_type = UserType::Applicant;
    let entries = [
        Entry::Submission(submission([17])),
        Entry::Submission(full),
        Entry::Claim(claim()),
        Entry::Continuation(continuation()),
        Entry::Submission(Submission { app_sha256: Some("cd".repeat(32)), ..submission([17]) }),
        Entry::Submission(Submission {
            amr: Some(["pwd", "otp", "mfa"].map(Into::into).to_vec()),
            app_sha256: Some("cd".repeat(32)),
            ..submission([17])
        }),
        Entry::TermPublished(published()),
        Entry::TermPublished(TermPublished {
            backfilled: true,
            grace_until: Some("2026-12-08T00:00:00.000Z".into()),
            instead_of: Some(3),
            market: Some("DE-BE.berlin".into()),
            ..published()
        }),
        Entry::TermPublished(TermPublished {
            instead_of: Some(3),
            term_kind: Some(NoticeKind::Notice),
            mandatory: false,
            ..published()
        }),
        Entry::TermsOrdered(ordered()),
        Entry::PersonErased(erased()),
        Entry::Chained(chained(History::Audit)),
        Entry::Chained(chained(History::Flags)),
        Entry::LogExtended(extended()),
    ];
    for entry in entries {
        let text = entry.encode().unwrap();
        assert_eq!(text, canonical(&text));
        assert_eq!(Entry::decode(&text), Ok(entry));
    }
}

/// The entry in the contract, with the members that Musette adds.
#[test]
fn a_published_term_is_written_in_canonical_form() {
    let seal = published().seal;
    let expected = format!(
        concat!(
            r#"{{"approved_by":[],"document_seals":{{"de":"{seal}","en":"{seal}"}},"#,
            r#""effective_from":"2026-12-01T00:00:00.000Z","grace_until":null,"instead_of":null,"#,
            r#""mandatory":true,"market":null,"recorded_at":"2026-11-21T09:30:00.123Z","#,
            r#""seal":"{seal}","sha256":{{"de":"{de}","en":"{en}"}},"terms_and_conditions_id":17,"#,
            r#""type":"term.published","v":1,"written_by":["{by}"]}}"#,
        ),
        seal = seal,
        de = "ab".repeat(32),
        en = "cd".repeat(32),
        by = "ef".repeat(32),
    );
    assert_eq!(Entry::TermPublished(published()).encode(), Ok(expected.clone()));
    for other in [
        expected.replacen("\"grace_until\":null,", "", 1),
        expected.replacen("\"document_seals\"", "\"backfilled\":false,\"document_seals\"", 1),
        expected.replacen("\"de\":\"ab", "\"de\":\"ab\",\"de\":\"ab", 1),
    ] {
        assert!(Entry::decode(&other).is_err(), "{other}");
    }
    let both = expected.replacen("\"type\"", "\"kind\":\"claim\",\"type\"", 1);
    assert!(matches!(Entry::decode(&both), Err(EntryError::Json(_))));
}

#[test]
fn rejects_other_spellings_of_the_same_entry() {
    let text = text();
    let spellings = [
        format!("{text}\n"),
        format!(" {text}"),
        text.replace(",", ", "),
        text.replace("\"RIDER\"", "\"\\u0052IDER\""),
        text.replace(",\"v\":1}", "}").replacen('{', "{\"v\":1,", 1),
        text.replace("\"consents\"", "\"app\":null,\"consents\""),
    ];
    for spelling in spellings {
        assert_ne!(spelling, text);
        assert_eq!(Entry::decode(&spelling), Err(EntryError::NotCanonical), "{spelling}");
    }
}

#[test]
fn rejects_texts_that_are_not_entries() {
    let text = text();
    let not_json = [
        String::new(),
        "[]".into(),
        "null".into(),
        "{}".into(),
        text[..text.len() - 1].to_owned(),
        text.replace("\"v\":1", "\"v\":2"),
        text.replace("\"v\":1", "\"v\":1,\"w\":1"),
        text.replace("\"v\":1", "\"v\":1,\"v\":1"),
        text.replace("\"v\":1", "\"v\":1.0"),
        text.replace("\"id\"", "\"kind\":\"other\",\"id\""),
        text.replace("\"id\"", "\"kind\":\"claim\",\"id\""),
        text.replace("RIDER", "WORKER"),
        text.replace("presented", "guessed"),
        text.replace("agree_all", "nod"),
        text.replace("\"accepted\":true,", ""),
        text.replace("\"accepted\":true", "\"accepted\":\"true\""),
        text.replace(":17", ":17.5"),
        text.replace(":17", ":\"17\""),
        text.replace("\"last_page\":3", "\"last_page\":-1"),
        text.replace("RIDER", "\\ud800"),
        "[".repeat(60_000),
        format!("{{\"a\":{}", "[".repeat(60_000)),
    ];
    for text in not_json {
        assert!(matches!(Entry::decode(&text), Err(EntryError::Json(_))), "{text:.200}");
    }
}

#[test]
fn rejects_members_that_break_their_rule_when_writing_and_reading() {
    let with = |change: fn(&mut Submission)| {
        let mut submission = submission([17]);
        change(&mut submission);
        Entry::Submission(submission)
    };
    let table = [
        ("id", with(|s| s.id.clear())),
        ("id", with(|s| s.id = "a".repeat(65))),
        ("id", with(|s| s.id = "a b".into())),
        ("recorded_at", with(|s| s.recorded_at = "2026-11-21T09:30:00Z".into())),
        ("recorded_at", with(|s| s.recorded_at = "2026-11-21T10:30:00.123+01:00".into())),
        ("subject", with(|s| s.subject = "rider-1".into())),
        ("subject", with(|s| s.subject = "CD".repeat(32))),
        ("continues", with(|s| s.continues = Some(String::new()))),
        ("locale", with(|s| s.locale = Some("\u{e9}".repeat(36)))),
        ("app", with(|s| s.app = Some("\u{e9}".repeat(201)))),
        ("amr", with(|s| s.amr = Some(Vec::new()))),
        ("amr", with(|s| s.amr = Some(vec!["otp".into(); 9]))),
        ("amr", with(|s| s.amr = Some(vec![String::new()]))),
        ("amr", with(|s| s.amr = Some(vec!["one time".into()]))),
        ("amr", with(|s| s.amr = Some(vec!["o".repeat(33)]))),
        ("app_sha256", with(|s| s.app_sha256 = Some("musette/1.0".into()))),
        ("app", with(|s| (s.app, s.app_sha256) = (Some("a".into()), Some("cd".repeat(32))))),
        ("seal", Entry::TermPublished(TermPublished { seal: "x".into(), ..published() })),
        (
            "document_seals",
            Entry::TermPublished(TermPublished {
                document_seals: Default::default(),
                ..published()
            }),
        ),
        (
            "written_by",
            Entry::TermPublished(TermPublished { written_by: vec!["op-1".into()], ..published() }),
        ),
        (
            "effective_from",
            Entry::TermPublished(TermPublished { effective_from: "now".into(), ..published() }),
        ),
        ("places", Entry::TermsOrdered(TermsOrdered { places: vec![(1, 1), (1, 2)], ..ordered() })),
        ("subjects", Entry::PersonErased(PersonErased { subjects: vec!["r1".into()], ..erased() })),
        ("hash", Entry::Chained(Chained { hash: "x".into(), ..chained(History::Audit) })),
        ("sha256", with(|s| s.consents[0].sha256.clear())),
        ("consented_at", with(|s| s.consents[0].consented_at = "yesterday".into())),
        ("last_page", with(|s| s.consents[0].last_page = Some(10_001))),
        ("terms_and_conditions_id", with(|s| s.consents[0].terms_and_conditions_id = -1)),
        ("terms_and_conditions_id", with(|s| s.consents[0].terms_and_conditions_id = 1 << 53)),
        ("claimed_subject", Entry::Claim(Claim { claimed_subject: "x".into(), ..claim() })),
        ("claimed_entry", Entry::Claim(Claim { claimed_entry: String::new(), ..claim() })),
        (
            "checkpoint",
            Entry::Continuation(Continuation { checkpoint: "x".into(), ..continuation() }),
        ),
    ];
    for (name, entry) in table {
        let is_rejected = |error: EntryError| matches!(error, EntryError::Member { member, .. } if member == name);
        assert!(is_rejected(entry.encode().unwrap_err()), "{name} was written");
        let Entry::Submission(submission) = entry else { continue };
        let text = serde_json::to_string(&submission).unwrap();
        assert!(is_rejected(Entry::decode(&text).unwrap_err()), "{name} was read");
    }
}

#[test]
fn consents_are_1_to_100_of_different_terms() {
    let encode = |terms: Vec<i64>| Entry::Submission(submission(terms)).encode();
    assert!(encode((0..100).collect()).is_ok());
    assert_eq!(encode((0..101).collect()), Err(EntryError::ConsentCount));
    assert_eq!(encode(vec![]), Err(EntryError::ConsentCount));
    assert_eq!(encode(vec![1, 2, 1]), Err(EntryError::DuplicateTerm(1)));
}

/// Every member at its longest: each submission that the contract allows fits into the log.
#[test]
fn the_longest_submission_fits() {
    let mut longest = submission([]);
    longest.consents = (1..=100)
        .map(|term| Consent {
            accepted: false,
            consented_at: "2026-11-21T10:30:00.123456789+01:00".into(),
            last_page: Some(10_000),
            opened: Some(false),
            ..consent((1 << 53) - term)
        })
        .collect();
    longest.app = Some("\u{1}".repeat(200));
    longest.locale = Some("\u{1}".repeat(35));
    longest.id = "i".repeat(64);
    longest.continues = Some("i".repeat(64));
    longest.user_type = UserType::Applicant;
    let text = Entry::Submission(longest).encode().unwrap();
    assert!(text.len() < LENGTH_MAX / 2, "{}", text.len());
    assert_eq!(Entry::decode(&" ".repeat(LENGTH_MAX + 1)), Err(EntryError::TooLong));
    let huge = format!("{}\u{2014} w {}\n", continuation().checkpoint, "AAAA".repeat(20_000));
    let huge = Entry::Continuation(Continuation { checkpoint: huge, ..continuation() });
    assert_eq!(huge.encode(), Err(EntryError::TooLong));
}

proptest! {
    #[test]
    fn any_text_in_a_member_stays_canonical(app in "\\PC{0,200}", controls in "[\0-\u{1f}]{0,20}", locale in ".{0,35}") {
        let app: String = format!("{controls}{app}").chars().take(200).collect();
        let entry = Entry::Submission(Submission { app: Some(app), locale: Some(locale), ..submission([1]) });
        let text = entry.encode().unwrap();
        prop_assert_eq!(&text, &canonical(&text));
        prop_assert_eq!(Entry::decode(&text), Ok(entry));
    }

    #[test]
    fn a_text_with_a_changed_byte_is_not_the_same_entry(position: prop::sample::Index, byte: u8) {
        let text = text();
        let position = position.index(text.len());
        let mut changed = text.clone().into_bytes();
        prop_assume!(changed[position] != byte);
        changed[position] = byte;
        if let Ok(changed) = String::from_utf8(changed) {
            prop_assert_ne!(Entry::decode(&changed), Entry::decode(&text));
        }
    }

    #[test]
    fn never_panics(text: String, json in "[\\[\\]{}\",:a-z0-9\\\\]{0,100}") {
        prop_assert!(Entry::decode(&text).is_err());
        prop_assert!(Entry::decode(&json).is_err());
    }
}
