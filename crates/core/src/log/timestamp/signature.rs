//! The signature of a token (RFC 5652 §5.4), and the certificate that made it.

use std::time::Duration;

use cms::cert::CertificateChoices;
use cms::signed_data::{SignedData, SignerIdentifier, SignerInfo};
use der::asn1::{Any, ObjectIdentifier, OctetString};
use der::{Decode as _, Encode as _, Sequence};
use rustls_pki_types::{CertificateDer, UnixTime};
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use webpki::EndEntityCert;
use x509_cert::Certificate;
use x509_cert::attr::Attribute;
use x509_cert::ext::pkix::{ExtendedKeyUsage, SubjectKeyIdentifier};
use x509_cert::name::Name;
use x509_cert::spki::AlgorithmIdentifierOwned;

use super::authorities::{Authorities, Hash, algorithms};
use super::token::{TOKEN_INFO, der_of, printable};
use super::{TimeStampError, malformed};
use crate::instant::Instant;

const fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

const CONTENT_TYPE: ObjectIdentifier = oid("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = oid("1.2.840.113549.1.9.4");
/// ESSCertID (RFC 2634), which names the certificate by its SHA-1.
const SIGNING_CERTIFICATE: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.12");
/// ESSCertIDv2 (RFC 5035).
const SIGNING_CERTIFICATE_V2: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.47");
const SUBJECT_KEY_ID: ObjectIdentifier = oid("2.5.29.14");
const EXTENDED_KEY_USAGE: ObjectIdentifier = oid("2.5.29.37");
const TIME_STAMPING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.8");
const COMMON_NAME: ObjectIdentifier = oid("2.5.4.3");
const RSA: ObjectIdentifier = oid("1.2.840.113549.1.1.1");
const RSA_PSS: ObjectIdentifier = oid("1.2.840.113549.1.1.10");
const EC_PUBLIC_KEY: ObjectIdentifier = oid("1.2.840.10045.2.1");

const HASHES: [(ObjectIdentifier, Hash); 3] = [
    (oid("2.16.840.1.101.3.4.2.1"), Hash::Sha256),
    (oid("2.16.840.1.101.3.4.2.2"), Hash::Sha384),
    (oid("2.16.840.1.101.3.4.2.3"), Hash::Sha512),
];
/// Signature algorithms that name a hash function.
const WITH_HASH: [(ObjectIdentifier, Hash); 6] = [
    (oid("1.2.840.113549.1.1.11"), Hash::Sha256),
    (oid("1.2.840.113549.1.1.12"), Hash::Sha384),
    (oid("1.2.840.113549.1.1.13"), Hash::Sha512),
    (oid("1.2.840.10045.4.3.2"), Hash::Sha256),
    (oid("1.2.840.10045.4.3.3"), Hash::Sha384),
    (oid("1.2.840.10045.4.3.4"), Hash::Sha512),
];

impl Hash {
    fn of(algorithm: &ObjectIdentifier) -> Result<Self, TimeStampError> {
        let hash = HASHES.iter().find(|(oid, _)| oid == algorithm).map(|(_, hash)| *hash);
        hash.ok_or_else(|| TimeStampError::UnsupportedAlgorithm(algorithm.to_string()))
    }

    fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => Sha256::digest(bytes).to_vec(),
            Self::Sha384 => Sha384::digest(bytes).to_vec(),
            Self::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }
}

/// `SigningCertificate` and `SigningCertificateV2`, as far as the first certificate.
#[derive(Sequence)]
struct SigningCertificate {
    certificates: Vec<Any>,
    #[asn1(optional = "true")]
    policies: Option<Vec<Any>>,
}

#[derive(Sequence)]
struct CertificateId {
    hash: OctetString,
    #[asn1(optional = "true")]
    issuer_serial: Option<Vec<Any>>,
}

#[derive(Sequence)]
struct CertificateIdV2 {
    /// SHA-256 by default.
    #[asn1(optional = "true")]
    algorithm: Option<AlgorithmIdentifierOwned>,
    hash: OctetString,
    #[asn1(optional = "true")]
    issuer_serial: Option<Vec<Any>>,
}

/// A verified signature with its certificate.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    authority: String,
    certificate: CertificateDer<'static>,
    /// Other certificates of the token.
    others: Vec<CertificateDer<'static>>,
}

fn bad(error: impl std::fmt::Display) -> TimeStampError {
    TimeStampError::BadSignature(error.to_string())
}

impl Signature {
    /// Verifies the only signature of a token, and that its certificate may sign at this time.
    pub(super) fn verify(
        signed: &SignedData,
        content: &[u8],
        at: Instant,
    ) -> Result<Self, TimeStampError> {
        let [signer] = signed.signer_infos.0.as_slice() else {
            return Err(bad("a token has exactly one signature"));
        };
        let (mut certificate, mut others) = (None, Vec::new());
        for choice in signed.certificates.iter().flat_map(|set| set.0.iter()) {
            let CertificateChoices::Certificate(candidate) = choice else { continue };
            let der = CertificateDer::from(der_of("a certificate", candidate)?);
            if certificate.is_none() && is_of(&signer.sid, candidate)? {
                certificate = Some((candidate, der));
            } else {
                others.push(der);
            }
        }
        let (certificate, der) = certificate.ok_or(TimeStampError::NoCertificate)?;
        let authority = authority(&certificate.tbs_certificate.subject);
        check_purpose(certificate, &authority)?;
        check_validity(certificate, &authority, at)?;
        check_signature(signer, content, certificate, &der)?;
        Ok(Self { authority, certificate: der, others })
    }

    pub(super) fn authority(&self) -> &str {
        &self.authority
    }

    pub(super) fn verify_trust(
        &self,
        authorities: &Authorities,
        at: Instant,
    ) -> Result<(), TimeStampError> {
        let not_trusted = |error: webpki::Error| TimeStampError::NotTrusted {
            authority: self.authority.clone(),
            error: error.to_string(),
        };
        let certificate = EndEntityCert::try_from(&self.certificate).map_err(not_trusted)?;
        let seconds = u64::try_from(at.seconds()).unwrap_or_default();
        let time = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        authorities.verify(&certificate, &self.others, time).map_err(not_trusted)
    }
}

/// Returns whether the certificate is the one that the signature names.
fn is_of(signer: &SignerIdentifier, certificate: &Certificate) -> Result<bool, TimeStampError> {
    let certificate = &certificate.tbs_certificate;
    Ok(match signer {
        SignerIdentifier::IssuerAndSerialNumber(id) => {
            id.issuer == certificate.issuer && id.serial_number == certificate.serial_number
        }
        SignerIdentifier::SubjectKeyIdentifier(id) => {
            let mut extensions = certificate.extensions.iter().flatten();
            let extension = extensions.find(|extension| extension.extn_id == SUBJECT_KEY_ID);
            match extension {
                Some(extension) => {
                    let own = SubjectKeyIdentifier::from_der(extension.extn_value.as_bytes());
                    own.map_err(malformed("a subject key identifier"))? == *id
                }
                None => false,
            }
        }
    })
}

/// Returns the common name, or the whole name if there is none.
fn authority(name: &Name) -> String {
    let mut attributes = name.0.iter().flat_map(|part| part.0.iter());
    let common = attributes.find(|attribute| attribute.oid == COMMON_NAME);
    let text = common.and_then(|attribute| std::str::from_utf8(attribute.value.value()).ok());
    let text = printable(text.unwrap_or_default());
    if text.trim().is_empty() { printable(&name.to_string()) } else { text }
}

/// RFC 3161 §2.3: the extended key usage is critical and has time-stamping as its only purpose.
fn check_purpose(certificate: &Certificate, authority: &str) -> Result<(), TimeStampError> {
    let mut extensions = certificate.tbs_certificate.extensions.iter().flatten();
    let usage = extensions.find(|extension| extension.extn_id == EXTENDED_KEY_USAGE);
    let purposes = usage
        .filter(|extension| extension.critical)
        .and_then(|extension| ExtendedKeyUsage::from_der(extension.extn_value.as_bytes()).ok());
    match purposes {
        Some(purposes) if purposes.0 == [TIME_STAMPING] => Ok(()),
        _ => Err(TimeStampError::OtherPurpose(authority.to_owned())),
    }
}

fn check_validity(
    certificate: &Certificate,
    authority: &str,
    at: Instant,
) -> Result<(), TimeStampError> {
    let validity = &certificate.tbs_certificate.validity;
    let seconds = u64::try_from(at.seconds()).unwrap_or_default();
    let begins = validity.not_before.to_unix_duration().as_secs();
    let ends = validity.not_after.to_unix_duration().as_secs();
    if (begins..=ends).contains(&seconds) {
        Ok(())
    } else {
        Err(TimeStampError::Expired { authority: authority.to_owned(), at })
    }
}

fn check_signature(
    signer: &SignerInfo,
    content: &[u8],
    certificate: &Certificate,
    der: &CertificateDer<'_>,
) -> Result<(), TimeStampError> {
    let hash = Hash::of(&signer.digest_alg.oid)?;
    let attributes = signer.signed_attrs.as_ref().ok_or_else(|| bad("it has no attributes"))?;
    if value::<ObjectIdentifier>(attributes.iter(), CONTENT_TYPE)? != Some(TOKEN_INFO) {
        return Err(bad("it is of another type of content"));
    }
    let digest = value::<OctetString>(attributes.iter(), MESSAGE_DIGEST)?;
    if digest.is_none_or(|digest| digest.as_bytes() != hash.digest(content)) {
        return Err(bad("it is of another token"));
    }
    check_certificate_id(|oid| value(attributes.iter(), oid), der)?;
    let algorithm = &signer.signature_algorithm.oid;
    let key = &certificate.tbs_certificate.subject_public_key_info.algorithm.oid;
    let named = WITH_HASH.iter().find(|(oid, _)| oid == algorithm).map(|(_, hash)| *hash);
    let is_key_type = [RSA, RSA_PSS, EC_PUBLIC_KEY].contains(algorithm);
    let hash = named.or(is_key_type.then_some(hash)).ok_or_else(|| unsupported(algorithm))?;
    let message = attributes.to_der().map_err(malformed("the attributes"))?;
    let webpki_certificate = EndEntityCert::try_from(der).map_err(bad)?;
    let mut result = Err(unsupported(key));
    for algorithm in algorithms(hash, *algorithm == RSA_PSS) {
        let signature = signer.signature.as_bytes();
        match webpki_certificate.verify_signature(algorithm, &message, signature) {
            Ok(()) => return Ok(()),
            Err(webpki::Error::InvalidSignatureForPublicKey) => {
                result = Err(bad("it is not by the key of the certificate"));
            }
            // The key is of another type than the algorithm.
            Err(_) => {}
        }
    }
    result
}

fn unsupported(algorithm: &ObjectIdentifier) -> TimeStampError {
    TimeStampError::UnsupportedAlgorithm(algorithm.to_string())
}

/// RFC 3161 §2.4.2: an attribute names the certificate, so that it cannot be replaced by another
/// one for the same key.
fn check_certificate_id(
    attribute: impl Fn(ObjectIdentifier) -> Result<Option<SigningCertificate>, TimeStampError>,
    certificate: &[u8],
) -> Result<(), TimeStampError> {
    let part = malformed("the attribute with the certificate");
    let is_same = if let Some(ids) = attribute(SIGNING_CERTIFICATE_V2)? {
        let first = ids.certificates.first().map(Any::decode_as::<CertificateIdV2>).transpose();
        match first.map_err(part)? {
            Some(id) => {
                let hash = id.algorithm.as_ref().map(|algorithm| Hash::of(&algorithm.oid));
                hash.unwrap_or(Ok(Hash::Sha256))?.digest(certificate) == id.hash.as_bytes()
            }
            None => false,
        }
    } else if let Some(ids) = attribute(SIGNING_CERTIFICATE)? {
        let first = ids.certificates.first().map(Any::decode_as::<CertificateId>).transpose();
        first.map_err(part)?.is_some_and(|id| Sha1::digest(certificate)[..] == *id.hash.as_bytes())
    } else {
        false
    };
    if is_same { Ok(()) } else { Err(bad("it does not name the certificate of its signer")) }
}

/// Returns the single value of an attribute.
fn value<'a, T: for<'b> der::Decode<'b> + der::FixedTag>(
    mut attributes: impl Iterator<Item = &'a Attribute>,
    oid: ObjectIdentifier,
) -> Result<Option<T>, TimeStampError> {
    let Some(attribute) = attributes.find(|attribute| attribute.oid == oid) else {
        return Ok(None);
    };
    match attribute.values.as_slice() {
        [value] => {
            let der = der_of("an attribute", value)?;
            T::from_der(&der).map(Some).map_err(malformed("an attribute"))
        }
        _ => Err(bad("an attribute has several values")),
    }
}
