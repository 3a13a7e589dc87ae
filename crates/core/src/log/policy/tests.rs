use super::*;
use crate::log::cosignature::Cosigner;
use crate::log::hash::Hash;
use crate::log::key::Signer;

const ORIGIN: &str = "log.larkspur.example/abc";

fn log() -> Signer {
    Signer::from_seed(ORIGIN, &[1; 32]).expect("a key")
}

fn cosigner(n: u8) -> Cosigner {
    let name = format!("witness-{n}.example");
    if n.is_multiple_of(2) {
        Cosigner::ml_dsa_44(&name, &[n; 32]).expect("a key")
    } else {
        Cosigner::ed25519(&name, &[n; 32]).expect("a key")
    }
}

fn vkey(n: u8) -> String {
    cosigner(n).verifier().to_string()
}

/// A checkpoint that these witnesses have cosigned.
fn cosigned_by(witnesses: &[u8]) -> String {
    let root = Hash::leaf(b"x");
    let note = Checkpoint { origin: ORIGIN.into(), size: 1, root }.sign(&log()).expect("signed");
    let add = |note: Note, n: &u8| {
        let line = cosigner(*n).sign(note.text(), 1_795_000_000).expect("signed");
        note.with_signature(line)
    };
    witnesses.iter().fold(note, add).to_string()
}

fn example() -> String {
    let mut file = format!("# The example of the specification.\n\nlog {}\n", log().verifier());
    for (n, name) in [(1, "X1"), (2, "X2"), (3, "X3")] {
        file += &format!(" witness\t{name}  {} https://{name}.example/ \n", vkey(n));
    }
    file += "group X-witnesses 2 X1 X2 X3\n";
    for (n, name) in [(4, "Y1"), (5, "Y2"), (6, "Y3")] {
        file += &format!("witness {name} {}\n", vkey(n));
    }
    file + "group Y-witnesses any Y1 Y2 Y3\n  # nested\ngroup X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y\n"
}

fn parse(file: &str) -> Policy {
    Policy::parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{file}"))
}

#[test]
fn demands_the_quorum_of_nested_groups() {
    let policy = parse(&example());
    assert_eq!(policy.logs().len(), 1);
    assert_eq!(policy.witnesses()[0].url.as_deref(), Some("https://X1.example/"));
    for (witnesses, missing) in [
        (&[1, 2, 4][..], None),
        (&[6, 3, 1], None),
        (&[1, 2, 3, 4, 5, 6], None),
        (&[1, 2], Some("X3, Y1, Y2, Y3")),
        (&[1, 4, 5, 6], Some("X2, X3")),
        (&[], Some("X1, X2, X3, Y1, Y2, Y3")),
    ] {
        let result = policy.check(&cosigned_by(witnesses), &[]);
        match missing {
            None => assert_eq!(result.expect("accepted").witnesses.len(), witnesses.len()),
            Some(missing) => {
                let error = result.expect_err("too few").to_string();
                assert!(error.ends_with(&format!("no cosignature of {missing}")), "{error}");
            }
        }
    }
}

#[test]
fn demands_the_signature_of_a_listed_log_or_of_another_key() {
    let note = cosigned_by(&[1]);
    let own = log().verifier().clone();
    let other = Signer::from_seed("other.example", &[2; 32]).expect("a key");
    let other = other.verifier().clone();
    let without_logs = parse("quorum none\n");
    assert!(without_logs.check(&note, std::slice::from_ref(&own)).is_ok());
    assert!(without_logs.check(&note, std::slice::from_ref(&other)).is_err());
    assert!(without_logs.check(&note, &[]).is_err());
    let with_other = parse(&format!("log {other}\nquorum none\n"));
    assert!(with_other.check(&note, &[own]).is_err(), "a listed log replaces the given keys");
    let with_own =
        parse(&format!("log {}\nlog {other} https://o.example\nquorum none", log().verifier()));
    assert!(with_own.check(&note, &[]).is_ok());
}

#[test]
fn rejects_a_wrong_cosignature_and_one_without_a_time() {
    let policy = parse(&format!("log {}\nwitness w {}\nquorum w\n", log().verifier(), vkey(2)));
    let note = cosigned_by(&[]);
    let text = Note::parse(&note).expect("a note");
    let timeless = cosigner(2).sign(text.text(), 0).expect("signed");
    let note = text.clone().with_signature(timeless).to_string();
    assert!(matches!(policy.check(&note, &[]), Err(PolicyError::Quorum { .. })));
    let of_other_text = cosigner(2).sign("a\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n", 5);
    let note = text.with_signature(of_other_text.expect("signed")).to_string();
    assert!(matches!(policy.check(&note, &[]), Err(PolicyError::Note(_))));
}

#[test]
fn names_the_line_of_each_error() {
    let (a, b) = (vkey(1), vkey(2));
    let renamed = Cosigner::ed25519("renamed.example", &[1; 32]).expect("a key");
    let renamed = renamed.verifier().to_string();
    let log = log().verifier().to_string();
    let witnesses = format!("witness a {a}\nwitness b {b}\n");
    for (file, expected) in [
        (String::new(), "line 1: the file ends without"),
        ("\n\n# x\n".into(), "line 3: the file ends without"),
        ("quorum".into(), "line 1: expected: quorum <name>"),
        ("quorum none none".into(), "line 1: expected: quorum <name>"),
        ("quorum none\nquorum none".into(), "line 2: there is a second quorum"),
        ("quorum a".into(), "line 1: the name a is not defined"),
        ("Log x".into(), "line 1: a line begins with"),
        ("quorum none\r\n".into(), "line 1: the only control characters"),
        ("quorum none\u{7f}".into(), "line 1: the only control characters"),
        (format!("log {log} u v"), "line 1: expected: log"),
        (format!("log {a}"), "line 1: the key is not usable"),
        (format!("log {log}\nlog {log}"), "line 2: the same public key"),
        ("log".into(), "line 1: expected: log"),
        (format!("witness a {log}"), "line 1: the key is not usable"),
        (format!("witness {a}"), "line 1: expected: witness"),
        (format!("witness none {a}"), "line 1: the name none is already"),
        (format!("witness a {a}\nwitness a {b}"), "line 2: the name a is already"),
        (format!("witness a {a}\nwitness b {renamed}"), "line 2: the same public key"),
        (format!("{witnesses}group g any"), "line 3: expected: group"),
        (format!("{witnesses}group g 0 a b"), "line 3: the threshold"),
        (format!("{witnesses}group g 3 a b"), "line 3: the threshold"),
        (format!("{witnesses}group g +1 a b"), "line 3: the threshold"),
        (format!("{witnesses}group g 01 a b"), "line 3: the threshold"),
        (format!("{witnesses}group g any a none"), "line 3: the name none is not defined"),
        (format!("{witnesses}group g any g"), "line 3: the name g is not defined"),
        (format!("{witnesses}group g any a a"), "line 3: the name a is already a member"),
        (
            format!("{witnesses}group g any a\ngroup h any a b"),
            "line 4: the name a is already a member",
        ),
        (format!("{witnesses}group a any b"), "line 3: the name a is already defined"),
        (format!("{witnesses}quorum c"), "line 3: the name c is not defined"),
    ] {
        let error = Policy::parse(file.as_bytes()).expect_err(&file).to_string();
        assert!(error.starts_with(expected), "{error}\n{file}");
    }
}

#[test]
fn names_are_opaque_bytes() {
    let kelvin = format!("witness \u{212a} {}\nwitness K {}\nquorum K\n", vkey(1), vkey(2));
    assert_eq!(parse(&kelvin).witnesses()[0].name, "\u{212a}");
    let mut file = b"# \xff\nwitness \xff ".to_vec();
    file.extend(vkey(1).bytes());
    file.extend(b"\ngroup \xfe all \xff\nquorum \xfe");
    let policy = Policy::parse(&file).expect("a policy");
    assert_eq!(policy.witnesses().len(), 1);
}

#[test]
fn accepts_hundreds_of_witnesses() {
    let mut file = String::new();
    for n in 0..500_u16 {
        let [high, low] = n.to_be_bytes();
        let mut seed = [9; 32];
        (seed[0], seed[1]) = (high, low);
        let key = Cosigner::ed25519(&format!("w{n}"), &seed).expect("a key");
        file += &format!("witness w{n} {}\ngroup g{n} any w{n}\n", key.verifier());
    }
    let names: Vec<String> = (0..500).map(|n| format!("g{n}")).collect();
    file += &format!("group all 250 {}\nquorum all\n", names.join(" "));
    assert_eq!(parse(&file).witnesses().len(), 500);
}
