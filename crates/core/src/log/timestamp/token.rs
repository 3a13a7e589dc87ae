//! The ASN.1 of RFC 3161. The crate `x509-tsp` has the same types, but rejects a time with a
//! fraction of a second, which RFC 3161 §2.4.2 allows.

use cms::content_info::ContentInfo;
use cms::signed_data::SignedData;
use der::asn1::{Any, BitString, Int, ObjectIdentifier, OctetString};
use der::{Sequence, Tag, Tagged as _};
use x509_cert::ext::Extensions;
use x509_cert::spki::AlgorithmIdentifierOwned;

use super::{TimeStampError, malformed};
use crate::instant::Instant;

const SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
/// The content type of a time-stamp token.
pub(super) const TOKEN_INFO: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
const VERSION: u8 = 1;
const GRANTED: u8 = 0;
const GRANTED_WITH_MODIFICATIONS: u8 = 1;
/// The maximum length of the authority's explanation in an error.
const TEXT_MAX: usize = 200;

#[derive(Sequence)]
struct MessageImprint {
    hash_algorithm: AlgorithmIdentifierOwned,
    hashed_message: OctetString,
}

/// `TimeStampReq`.
#[derive(Sequence)]
pub(super) struct Request {
    version: u8,
    message_imprint: MessageImprint,
    nonce: u64,
    cert_req: bool,
}

impl Request {
    pub(super) fn new(imprint: [u8; 32], nonce: u64) -> der::Result<Self> {
        let hash_algorithm =
            AlgorithmIdentifierOwned { oid: SHA256, parameters: Some(Any::null()) };
        let hashed_message = OctetString::new(imprint)?;
        let message_imprint = MessageImprint { hash_algorithm, hashed_message };
        Ok(Self { version: VERSION, message_imprint, nonce, cert_req: true })
    }
}

#[derive(Sequence)]
struct Status {
    status: u8,
    #[asn1(optional = "true")]
    text: Option<Vec<String>>,
    #[asn1(optional = "true")]
    failure: Option<BitString>,
}

/// `TimeStampResp`.
#[derive(Sequence)]
pub(super) struct Reply {
    status: Status,
    #[asn1(optional = "true")]
    token: Option<ContentInfo>,
}

impl Reply {
    /// Returns the signed data of the token, if the request was granted.
    pub(super) fn signed_data(&self) -> Result<SignedData, TimeStampError> {
        let granted = [GRANTED, GRANTED_WITH_MODIFICATIONS].contains(&self.status.status);
        let Some(token) = self.token.as_ref().filter(|_| granted) else {
            let text = self.status.text.as_deref().unwrap_or_default().join(" ");
            return Err(TimeStampError::NotGranted {
                status: self.status.status,
                text: printable(&text),
            });
        };
        if token.content_type != SIGNED_DATA {
            return Err(not_a_token());
        }
        token.content.decode_as().map_err(malformed("the signed data"))
    }
}

fn not_a_token() -> TimeStampError {
    let error = "it is not signed data with a time-stamp token".to_owned();
    TimeStampError::Malformed { part: "the reply", error }
}

/// Removes control characters, and limits the length, of a text that another party wrote.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(TEXT_MAX).collect()
}

/// Returns the bytes of the token that were signed.
pub(super) fn content(signed: &SignedData) -> Result<&[u8], TimeStampError> {
    let content = &signed.encap_content_info;
    match &content.econtent {
        Some(octets) if content.econtent_type == TOKEN_INFO && octets.tag() == Tag::OctetString => {
            Ok(octets.value())
        }
        _ => Err(not_a_token()),
    }
}

#[derive(Sequence)]
struct Accuracy {
    #[asn1(optional = "true")]
    seconds: Option<Int>,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    millis: Option<Int>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    micros: Option<Int>,
}

/// `TSTInfo`.
#[derive(Sequence)]
pub(super) struct TokenInfo {
    version: u8,
    policy: ObjectIdentifier,
    message_imprint: MessageImprint,
    serial_number: Int,
    gen_time: Any,
    #[asn1(optional = "true")]
    accuracy: Option<Accuracy>,
    #[asn1(default = "Default::default")]
    ordering: bool,
    #[asn1(optional = "true")]
    pub(super) nonce: Option<Int>,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    tsa: Option<Any>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    extensions: Option<Extensions>,
}

impl TokenInfo {
    /// Returns whether the token is about this SHA-256.
    pub(super) fn is_about(&self, imprint: &[u8; 32]) -> bool {
        let algorithm = &self.message_imprint.hash_algorithm;
        let no_parameters =
            algorithm.parameters.as_ref().is_none_or(|parameters| *parameters == Any::null());
        algorithm.oid == SHA256
            && no_parameters
            && self.message_imprint.hashed_message.as_bytes() == imprint
    }

    /// Checks that this version can interpret the whole token.
    pub(super) fn check_extensions(&self) -> Result<(), TimeStampError> {
        let error = match self.extensions.iter().flatten().find(|extension| extension.critical) {
            Some(critical) => format!("its critical extension {} is unknown", critical.extn_id),
            None if self.version != VERSION => format!("its version is {}", self.version),
            None => return Ok(()),
        };
        Err(TimeStampError::Malformed { part: "the token", error })
    }

    /// Returns the time, rounded up to a millisecond.
    pub(super) fn time(&self) -> Result<Instant, TimeStampError> {
        let text = std::str::from_utf8(self.gen_time.value()).ok();
        let is_time = self.gen_time.tag() == Tag::GeneralizedTime;
        text.filter(|_| is_time).and_then(parse_time).ok_or_else(|| {
            let error = "it is not YYYYMMDDhhmmss[.fraction]Z".to_owned();
            TimeStampError::Malformed { part: "the time of the token", error }
        })
    }
}

/// Parses the DER of a `GeneralizedTime`, in which a fraction does not end in zero.
fn parse_time(text: &str) -> Option<Instant> {
    let text = text.strip_suffix('Z')?;
    let (whole, fraction) = match text.split_once('.') {
        Some((_, fraction)) if fraction.is_empty() || fraction.ends_with('0') => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (text, ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() != 14 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let (date, time) = whole.split_at(8);
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        &date[..4],
        &date[4..6],
        &date[6..],
        &time[..2],
        &time[2..4],
        &time[4..]
    );
    let at = Instant::parse_strict(&text).ok()?;
    let millis: i64 = format!("{fraction:0<3}")[..3].parse().ok()?;
    let rest = i64::from(fraction.len() > 3);
    Some(Instant::from_millis(at.millis().checked_add(millis + rest)?))
}

/// Encodes a value in DER.
pub(super) fn der_of(
    part: &'static str,
    value: &impl der::Encode,
) -> Result<Vec<u8>, TimeStampError> {
    value.to_der().map_err(malformed(part))
}

#[cfg(test)]
mod tests {
    use super::parse_time;

    #[test]
    fn parses_times_with_and_without_a_fraction() {
        for (text, expected) in [
            ("20261126193000Z", "2026-11-26T19:30:00.000Z"),
            ("20261126193000.5Z", "2026-11-26T19:30:00.500Z"),
            ("20261126193000.123Z", "2026-11-26T19:30:00.123Z"),
            ("20261126193000.0001Z", "2026-11-26T19:30:00.001Z"),
            ("20261231235959.9999Z", "2027-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(parse_time(text).map(|at| at.to_string()).as_deref(), Some(expected));
        }
        for text in [
            "",
            "Z",
            "20261126193000",
            "20261126193000.Z",
            "20261126193000.50Z",
            "20261126193000,5Z",
            "20261126193000+0000Z",
            "202611261930Z",
            "20261326193000Z",
            "2026112619300éZ",
            "20261126193000.é1Z",
        ] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
