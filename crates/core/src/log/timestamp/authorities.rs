//! The trusted authorities, and the signature algorithms.

use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{
    AlgorithmIdentifier, CertificateDer, InvalidSignature, SignatureVerificationAlgorithm,
    TrustAnchor, UnixTime, alg_id,
};
use sha2::{Digest as _, Sha512};
use webpki::ring;
use webpki::{EndEntityCert, KeyUsage};

/// `id-kp-timeStamping` without tag and length.
const TIME_STAMPING: &[u8] = &[43, 6, 1, 5, 5, 7, 3, 8];

/// ECDSA with SHA-512, which `ring` does not have.
#[derive(Debug)]
struct EcdsaSha512 {
    key: AlgorithmIdentifier,
    verifies: fn(key: &[u8], digest: &[u8], signature: &[u8]) -> bool,
}

impl SignatureVerificationAlgorithm for EcdsaSha512 {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let verifies = (self.verifies)(public_key, &Sha512::digest(message), signature);
        if verifies { Ok(()) } else { Err(InvalidSignature) }
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.key
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ECDSA_SHA512
    }
}

fn p256_verifies(key: &[u8], digest: &[u8], signature: &[u8]) -> bool {
    let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(key);
    let signature = p256::ecdsa::Signature::from_der(signature);
    matches!((key, signature), (Ok(key), Ok(signature)) if key.verify_prehash(digest, &signature).is_ok())
}

fn p384_verifies(key: &[u8], digest: &[u8], signature: &[u8]) -> bool {
    let key = p384::ecdsa::VerifyingKey::from_sec1_bytes(key);
    let signature = p384::ecdsa::Signature::from_der(signature);
    matches!((key, signature), (Ok(key), Ok(signature)) if key.verify_prehash(digest, &signature).is_ok())
}

static P256_SHA512: EcdsaSha512 = EcdsaSha512 { key: alg_id::ECDSA_P256, verifies: p256_verifies };
static P384_SHA512: EcdsaSha512 = EcdsaSha512 { key: alg_id::ECDSA_P384, verifies: p384_verifies };

/// A hash function of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

type Algorithm = &'static dyn SignatureVerificationAlgorithm;

/// Returns the algorithms with this hash function, for each type of key.
pub(super) fn algorithms(hash: Hash, is_pss: bool) -> Vec<Algorithm> {
    match (hash, is_pss) {
        (Hash::Sha256, true) => vec![ring::RSA_PSS_2048_8192_SHA256_LEGACY_KEY],
        (Hash::Sha384, true) => vec![ring::RSA_PSS_2048_8192_SHA384_LEGACY_KEY],
        (Hash::Sha512, true) => vec![ring::RSA_PSS_2048_8192_SHA512_LEGACY_KEY],
        (Hash::Sha256, false) => {
            vec![ring::RSA_PKCS1_2048_8192_SHA256, ring::ECDSA_P256_SHA256, ring::ECDSA_P384_SHA256]
        }
        (Hash::Sha384, false) => {
            vec![ring::RSA_PKCS1_2048_8192_SHA384, ring::ECDSA_P256_SHA384, ring::ECDSA_P384_SHA384]
        }
        (Hash::Sha512, false) => {
            vec![ring::RSA_PKCS1_2048_8192_SHA512, &P256_SHA512, &P384_SHA512]
        }
    }
}

/// The algorithms of the signatures on certificates.
static OF_CERTIFICATES: &[Algorithm] = &[
    ring::RSA_PKCS1_2048_8192_SHA256,
    ring::RSA_PKCS1_2048_8192_SHA384,
    ring::RSA_PKCS1_2048_8192_SHA512,
    ring::RSA_PSS_2048_8192_SHA256_LEGACY_KEY,
    ring::RSA_PSS_2048_8192_SHA384_LEGACY_KEY,
    ring::RSA_PSS_2048_8192_SHA512_LEGACY_KEY,
    ring::ECDSA_P256_SHA256,
    ring::ECDSA_P256_SHA384,
    ring::ECDSA_P384_SHA256,
    ring::ECDSA_P384_SHA384,
    ring::ED25519,
    &P256_SHA512,
    &P384_SHA512,
];

/// The certificates of trusted authorities.
#[derive(Clone, Debug)]
pub struct Authorities(pub(super) Vec<TrustAnchor<'static>>);

/// The reason why a file of authorities cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthoritiesError {
    /// It is not PEM.
    #[error("it is not a PEM file: {0}")]
    Pem(String),
    /// A certificate cannot be an authority.
    #[error("certificate {number}: {error}")]
    Certificate {
        /// Number of the certificate in the file, from 1.
        number: usize,
        /// The error of the parser.
        error: String,
    },
    /// It has no certificate.
    #[error("it has no certificate")]
    Empty,
}

impl Authorities {
    /// Parses a file of certificates in PEM. Each is trusted.
    ///
    /// # Errors
    /// Returns an error if the file has no certificate, or a malformed one.
    pub fn parse(pem: &[u8]) -> Result<Self, AuthoritiesError> {
        let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
        let certificates =
            certificates.map_err(|error| AuthoritiesError::Pem(error.to_string()))?;
        let anchors = certificates.iter().enumerate().map(|(index, certificate)| {
            webpki::anchor_from_trusted_cert(certificate).map(|anchor| anchor.to_owned()).map_err(
                |error| AuthoritiesError::Certificate {
                    number: index + 1,
                    error: error.to_string(),
                },
            )
        });
        let anchors = anchors.collect::<Result<Vec<_>, _>>()?;
        if anchors.is_empty() { Err(AuthoritiesError::Empty) } else { Ok(Self(anchors)) }
    }

    /// Verifies that a certificate leads to a trusted one at this time, for time-stamping.
    pub(super) fn verify(
        &self,
        certificate: &EndEntityCert<'_>,
        others: &[CertificateDer<'_>],
        time: UnixTime,
    ) -> Result<(), webpki::Error> {
        let usage = KeyUsage::required(TIME_STAMPING);
        certificate
            .verify_for_usage(OF_CERTIFICATES, &self.0, others, time, usage, None, None)
            .map(drop)
    }
}
