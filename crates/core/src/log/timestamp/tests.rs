//! Tokens of a real authority, `openssl ts`, and changed ones.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::*;

const NOTE: &str = "log.larkspur.example/abc\n3\nqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo=\n\n— log.larkspur.example/abc AAAAAAAA\n";
const NONCE: u64 = 0xfedc_ba98_7654_3210;
const PURPOSE: &str = "extendedKeyUsage=critical,timeStamping";

fn openssl(directory: &Path, arguments: &str) -> Vec<u8> {
    let output = Command::new("openssl")
        .args(arguments.split_whitespace())
        .current_dir(directory)
        .output()
        .expect("openssl runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "openssl {arguments}: {error}");
    output.stdout
}

/// An authority with a root certificate, in a temporary directory.
struct Tsa(tempfile::TempDir);

impl Tsa {
    fn new(key: &str, digest: &str) -> Self {
        Self::with(key, digest, PURPOSE, "")
    }

    /// Creates keys and certificates; `purpose` is the extension, `settings` are of `openssl ts`.
    fn with(key: &str, digest: &str, purpose: &str, settings: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path();
        let write = |name: &str, text: String| {
            std::fs::write(path.join(name), text).expect("writes");
        };
        write("serial", "01\n".into());
        write(
            "tsa.cnf",
            format!(
                "[tsa]\ndefault_tsa=t\n[t]\nserial=serial\nsigner_cert=tsa.pem\nsigner_key=tsa.key\n\
                 certs=root.pem\nsigner_digest={digest}\ndefault_policy=1.2.3.4.1\ndigests=sha256\n\
                 {settings}\n[req]\ndistinguished_name=d\n[d]\n"
            ),
        );
        write("extensions", format!("basicConstraints=CA:FALSE\n{purpose}\n"));
        let request = "-nodes -config tsa.cnf";
        openssl(
            path,
            &format!(
                "req -x509 {key} {request} -{digest} -keyout root.key -out root.pem -days 30 \
                 -subj /CN=Root -addext basicConstraints=critical,CA:TRUE"
            ),
        );
        let subject = "-subj /O=Larkspur/CN=Larkspur-Time";
        openssl(path, &format!("req {key} {request} -keyout tsa.key -out tsa.csr {subject}"));
        openssl(
            path,
            &format!(
                "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -CAcreateserial -{digest} \
                 -extfile extensions -days 30 -out tsa.pem"
            ),
        );
        Self(directory)
    }

    fn reply(&self, request: &TimestampRequest<'_>) -> Vec<u8> {
        let path = self.0.path();
        std::fs::write(path.join("q"), request.to_der().expect("encodes")).expect("writes");
        openssl(path, "ts -reply -config tsa.cnf -queryfile q -out r");
        std::fs::read(path.join("r")).expect("a reply")
    }

    fn authorities(&self) -> Authorities {
        let pem = std::fs::read(self.0.path().join("root.pem")).expect("a certificate");
        Authorities::parse(&pem).expect("parses")
    }

    /// Signs the token of a reply again, with another certificate that `openssl ts` would refuse.
    fn sign_again(&self, reply: &[u8], signer: &str) -> Vec<u8> {
        let path = self.0.path();
        std::fs::write(path.join("r"), reply).expect("writes");
        openssl(path, "ts -reply -config tsa.cnf -in r -token_out -out token");
        openssl(path, "cms -verify -noverify -inform DER -in token -out info -purpose any");
        openssl(
            path,
            &format!(
                "cms -sign -binary -nodetach -cades -econtent_type 1.2.840.113549.1.9.16.1.4 \
                 -in info {signer} -outform DER -out again"
            ),
        );
        granted(&std::fs::read(path.join("again")).expect("a token"))
    }
}

/// Wraps a token in a reply with the status granted.
fn granted(token: &[u8]) -> Vec<u8> {
    let length = u16::try_from(token.len() + 5).expect("fits").to_be_bytes();
    [&[0x30, 0x82][..], &length, &[0x30, 3, 2, 1, 0], token].concat()
}

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "openssl uses the clock of the machine")]
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    Instant::from_millis(i64::try_from(since.as_millis()).expect("fits"))
}

const P256: &str = "-newkey ec -pkeyopt ec_paramgen_curve:P-256";
const P384: &str = "-newkey ec -pkeyopt ec_paramgen_curve:P-384";
const RSA: &str = "-newkey rsa:2048";

#[test]
fn accepts_tokens_of_openssl_with_each_algorithm() {
    let other = Tsa::new(P256, "sha256");
    for (key, digest, settings) in [
        (RSA, "sha256", "ess_cert_id_alg=sha1"),
        (RSA, "sha384", "tsa_name=yes\nordering=yes\naccuracy=secs:1,millisecs:500"),
        (RSA, "sha512", "ess_cert_id_chain=yes"),
        (P256, "sha256", "clock_precision_digits=3"),
        (P256, "sha384", ""),
        (P256, "sha512", ""),
        (P384, "sha256", ""),
        (P384, "sha384", ""),
        (P384, "sha512", ""),
    ] {
        let tsa = Tsa::with(key, digest, PURPOSE, settings);
        let request = TimestampRequest::new(NOTE, NONCE);
        let reply = tsa.reply(&request);
        let stamp = request.check(&reply, now()).unwrap_or_else(|error| {
            panic!("{key} {digest} {settings}: {error}");
        });
        assert_eq!(stamp.authority, "Larkspur-Time");
        assert_eq!(stamp.verify_trust(&tsa.authorities()), Ok(()), "{key} {digest}");
        let not_trusted = stamp.verify_trust(&other.authorities());
        assert!(matches!(not_trusted, Err(TimeStampError::NotTrusted { .. })), "{not_trusted:?}");
        // The other implementation has the same opinion.
        std::fs::write(tsa.0.path().join("note"), NOTE).expect("writes");
        openssl(tsa.0.path(), "ts -verify -in r -data note -CAfile root.pem");
        openssl(tsa.0.path(), "ts -verify -in r -queryfile q -CAfile root.pem");
    }
}

#[test]
fn rejects_another_nonce_note_and_clock() {
    let tsa = Tsa::new(P256, "sha256");
    let request = TimestampRequest::new(NOTE, NONCE);
    let reply = tsa.reply(&request);
    let check = |request: &TimestampRequest<'_>, at| request.check(&reply, at).map(|_| ());
    assert_eq!(check(&request, now()), Ok(()));
    let other = TimestampRequest::new(NOTE, NONCE ^ 1);
    assert_eq!(check(&other, now()), Err(TimeStampError::OtherNonce));
    let other = TimestampRequest::new("other\n", NONCE);
    assert_eq!(check(&other, now()), Err(TimeStampError::OtherImprint));
    let late = now().plus(CLOCK_TOLERANCE + Duration::from_secs(60));
    assert!(matches!(check(&request, late), Err(TimeStampError::OtherTime { .. })));
    let early = Instant::from_millis(now().millis() - 6 * 60 * 1000);
    assert!(matches!(check(&request, early), Err(TimeStampError::OtherTime { .. })));
    let near = now().plus(CLOCK_TOLERANCE - Duration::from_secs(60));
    assert_eq!(check(&request, near), Ok(()));
}

#[test]
fn rejects_a_reply_that_is_not_a_token() {
    let request = TimestampRequest::new(NOTE, NONCE);
    let rejected = [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02];
    let result = request.check(&rejected, now());
    let expected = TimeStampError::NotGranted { status: 2, text: String::new() };
    assert_eq!(result.map(|_| ()), Err(expected));
    let empty = [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x00];
    assert!(request.check(&empty, now()).is_err(), "granted without a token");
    assert!(request.check(b"<html>", now()).is_err());
    let long = vec![0x30; REPLY_MAX + 1];
    assert_eq!(request.check(&long, now()).map(|_| ()), Err(TimeStampError::TooLong));
}

#[test]
fn rejects_certificates_for_other_purposes_and_times() {
    let tsa = Tsa::new(P256, "sha256");
    let request = TimestampRequest::new(NOTE, NONCE);
    let reply = tsa.reply(&request);
    let signed = tsa.sign_again(&reply, "-signer tsa.pem -inkey tsa.key");
    request.check(&signed, now()).expect("a token that is signed again is a token");
    let path = tsa.0.path();
    for purpose in [
        "keyUsage=digitalSignature",
        "extendedKeyUsage=timeStamping",
        "extendedKeyUsage=critical,timeStamping,serverAuth",
        "extendedKeyUsage=critical,codeSigning",
    ] {
        std::fs::write(path.join("extensions"), purpose).expect("writes");
        let issue = "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -extfile extensions";
        openssl(path, &format!("{issue} -days 30 -out bad.pem"));
        let signed = tsa.sign_again(&reply, "-signer bad.pem -inkey tsa.key");
        let result = request.check(&signed, now()).map(|_| ());
        let expected = TimeStampError::OtherPurpose("Larkspur-Time".to_owned());
        assert_eq!(result, Err(expected), "{purpose}");
    }
    std::fs::write(path.join("extensions"), PURPOSE).expect("writes");
    std::fs::write(path.join("index"), "").expect("writes");
    std::fs::write(
        path.join("ca.cnf"),
        "[ca]\ndefault_ca=c\n[c]\ndatabase=index\nnew_certs_dir=.\nserial=serial\n\
         default_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n",
    )
    .expect("writes");
    openssl(
        path,
        "ca -batch -config ca.cnf -cert root.pem -keyfile root.key -in tsa.csr -extfile extensions \
         -startdate 20200101000000Z -enddate 20210101000000Z -out old.pem -notext",
    );
    let signed = tsa.sign_again(&reply, "-signer old.pem -inkey tsa.key");
    let result = request.check(&signed, now()).map(|_| ());
    assert!(matches!(result, Err(TimeStampError::Expired { .. })), "{result:?}");
    // Without the certificate, or with two signatures.
    let signed = tsa.sign_again(&reply, "-signer tsa.pem -inkey tsa.key -nocerts");
    let result = request.check(&signed, now()).map(|_| ());
    assert_eq!(result, Err(TimeStampError::NoCertificate));
    let twice = "-signer tsa.pem -inkey tsa.key -signer root.pem -inkey root.key";
    let result = request.check(&tsa.sign_again(&reply, twice), now()).map(|_| ());
    assert!(matches!(result, Err(TimeStampError::BadSignature(_))), "{result:?}");
}

/// Every changed byte of the content or of the signature is detected, and none makes it panic.
#[test]
fn detects_every_changed_byte() {
    let tsa = Tsa::new(P256, "sha256");
    let request = TimestampRequest::new(NOTE, NONCE);
    let reply = tsa.reply(&request);
    let authorities = tsa.authorities();
    let trusted = |reply: &[u8]| {
        let stamp = request.check(reply, now())?;
        stamp.verify_trust(&authorities).map(|()| (stamp.at, stamp.authority))
    };
    let expected = trusted(&reply).expect("is accepted");
    let mut accepted = 0;
    for index in 0..reply.len() {
        let mut changed = reply.clone();
        changed[index] ^= 1;
        // The status text and the certificates of others are not signed.
        if let Ok(stamp) = trusted(&changed) {
            assert_eq!(stamp, expected, "byte {index}");
            accepted += 1;
        }
        assert!(trusted(&reply[..index]).is_err(), "the first {index} bytes are accepted");
    }
    let root = std::fs::read(tsa.0.path().join("root.pem")).expect("a certificate");
    assert!(accepted < root.len(), "{accepted} of {} changed bytes", reply.len());
    let last = reply.len() - 1;
    let mut changed = reply.clone();
    changed[last] ^= 1;
    assert!(matches!(trusted(&changed), Err(TimeStampError::BadSignature(_))));
}

#[test]
fn reads_files_of_authorities() {
    let tsa = Tsa::new(P256, "sha256");
    let pem = std::fs::read_to_string(tsa.0.path().join("root.pem")).expect("reads");
    assert_eq!(
        Authorities::parse(format!("# note\n{pem}{pem}").as_bytes()).expect("two").0.len(),
        2
    );
    for file in ["", "text", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        assert!(Authorities::parse(file.as_bytes()).is_err(), "{file}");
    }
}

#[test]
fn rounds_the_time_of_the_sentence_up() {
    for (at, text) in [
        ("2026-11-26T19:30:00Z", "2026-11-26 19:30:00 UTC"),
        ("2026-11-26T19:30:00.001Z", "2026-11-26 19:30:01 UTC"),
        ("2026-12-31T23:59:59.999Z", "2027-01-01 00:00:00 UTC"),
    ] {
        let at = Instant::parse(at).expect("an instant");
        assert_eq!(TimeStamp::time_text(at), text);
    }
}
