//! RFC 3161 time stamps of signed checkpoints: the request, and the checks of the reply.
//!
//! A time-stamping authority (TSA) signs the hash of a checkpoint with its own clock. The token
//! proves that the checkpoint, and so every entry that it covers, existed before that time.
//!
//! This module sends no request and reads no clock: the nonce and the time are arguments.

mod authorities;
mod signature;
mod token;

use std::time::Duration;

use der::{Decode as _, Encode as _};
use sha2::{Digest as _, Sha256};

use crate::instant::Instant;

pub use authorities::Authorities;
use signature::Signature;
use token::{Reply, Request as RequestBody, TokenInfo};

/// The maximum length of a reply. A reply with a chain of RSA certificates has about 6 kB.
pub const REPLY_MAX: usize = 64 * 1024;
/// The maximum difference between the time of a new token and the clock.
pub const CLOCK_TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// The reason why a reply of a TSA is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeStampError {
    /// It is longer than the limit.
    #[error("a reply has at most {REPLY_MAX} bytes")]
    TooLong,
    /// A part of it is not the expected ASN.1.
    #[error("{part} is malformed: {error}")]
    Malformed {
        /// The part.
        part: &'static str,
        /// The error of the parser.
        error: String,
    },
    /// The status is another one than granted.
    #[error("the request was not granted: status {status} {text}")]
    NotGranted {
        /// Number of the status (RFC 3161 §2.4.2).
        status: u8,
        /// Explanation of the authority.
        text: String,
    },
    /// The token is of another checkpoint, or another hash function was used.
    #[error("the token is not about the SHA-256 of this checkpoint")]
    OtherImprint,
    /// The nonce is not that of the request.
    #[error("the nonce is not that of the request")]
    OtherNonce,
    /// The time of the token differs too much from the clock.
    #[error("the time of the token, {at}, differs by more than 5 minutes from the clock")]
    OtherTime {
        /// Time of the token.
        at: Instant,
    },
    /// The certificate was not yet or no longer valid at the time of the token.
    #[error("the certificate of {authority} was not valid at {at}")]
    Expired {
        /// Common name of the certificate.
        authority: String,
        /// Time of the token.
        at: Instant,
    },
    /// The certificate does not have time-stamping as its only, critical purpose.
    #[error("the certificate of {0} is not one for time-stamping only")]
    OtherPurpose(String),
    /// The token has no certificate of its signer.
    #[error("the token does not contain the certificate of its signer")]
    NoCertificate,
    /// The algorithm is not supported.
    #[error("the signature algorithm {0} is not supported")]
    UnsupportedAlgorithm(String),
    /// The signature is wrong.
    #[error("the signature of the token does not verify: {0}")]
    BadSignature(String),
    /// The certificate does not lead to a trusted authority.
    #[error("the certificate of {authority} is not trusted: {error}")]
    NotTrusted {
        /// Common name of the certificate.
        authority: String,
        /// The reason.
        error: String,
    },
}

fn malformed(part: &'static str) -> impl Fn(der::Error) -> TimeStampError {
    move |error| TimeStampError::Malformed { part, error: error.to_string() }
}

/// A request to a TSA, for one checkpoint.
#[derive(Clone, Debug)]
pub struct TimestampRequest<'a> {
    note: &'a str,
    nonce: u64,
}

impl<'a> TimestampRequest<'a> {
    /// Creates a request for a signed checkpoint. The nonce must be random.
    pub fn new(note: &'a str, nonce: u64) -> Self {
        Self { note, nonce }
    }

    /// Encodes the request: SHA-256, the nonce, no policy, and the wish for the certificates.
    ///
    /// # Errors
    /// Never returns an error for a note within the limits of notes.
    pub fn to_der(&self) -> Result<Vec<u8>, TimeStampError> {
        let encode = || RequestBody::new(imprint(self.note), self.nonce)?.to_der();
        encode().map_err(malformed("the request"))
    }

    /// Checks the reply to this request.
    ///
    /// # Errors
    /// Returns an error unless the reply is a token of this checkpoint with this nonce, signed by a
    /// time-stamping certificate that is valid at the time of the token, which is near `now`.
    pub fn check(&self, reply: &[u8], now: Instant) -> Result<TimeStamp, TimeStampError> {
        let stamp = TimeStamp::open(reply, self.note)?;
        let nonce = self.nonce.to_der().map_err(malformed("the request"))?;
        if stamp.nonce.as_deref() != Some(&nonce) {
            return Err(TimeStampError::OtherNonce);
        }
        if stamp.at.since(now).max(now.since(stamp.at)) > CLOCK_TOLERANCE {
            return Err(TimeStampError::OtherTime { at: stamp.at });
        }
        Ok(stamp)
    }
}

/// A verified token. Whether its signer is trusted is not verified until
/// [`TimeStamp::verify_trust`] succeeds.
#[derive(Clone, Debug)]
pub struct TimeStamp {
    /// Time of the token, rounded up to a millisecond.
    pub at: Instant,
    /// Common name of the certificate that signed it; the whole name if it has none.
    pub authority: String,
    /// The DER of the nonce.
    nonce: Option<Vec<u8>>,
    signature: Signature,
}

impl TimeStamp {
    /// Reads a reply about a signed checkpoint, and verifies the token, except its nonce and the
    /// trust in its signer.
    ///
    /// # Errors
    /// Returns an error if the reply is malformed, about another checkpoint, or its signature is
    /// wrong.
    pub fn open(reply: &[u8], note: &str) -> Result<Self, TimeStampError> {
        if reply.len() > REPLY_MAX {
            return Err(TimeStampError::TooLong);
        }
        let reply = Reply::from_der(reply).map_err(malformed("the reply"))?;
        let signed = reply.signed_data()?;
        let content = token::content(&signed)?;
        let info = TokenInfo::from_der(content).map_err(malformed("the token"))?;
        info.check_extensions()?;
        if !info.is_about(&imprint(note)) {
            return Err(TimeStampError::OtherImprint);
        }
        let at = info.time()?;
        let nonce = info.nonce.as_ref().map(der::Encode::to_der).transpose();
        let nonce = nonce.map_err(malformed("the nonce"))?;
        let signature = Signature::verify(&signed, content, at)?;
        Ok(Self { at, authority: signature.authority().to_owned(), nonce, signature })
    }

    /// Verifies that the signer's certificate leads to a trusted authority at the time of the
    /// token.
    ///
    /// # Errors
    /// Returns an error if it does not.
    pub fn verify_trust(&self, authorities: &Authorities) -> Result<(), TimeStampError> {
        self.signature.verify_trust(authorities, self.at)
    }

    /// Returns the time as a person reads it, in UTC and rounded up to a second, so that the
    /// sentence "existed before" remains true: `2026-11-26 19:30:00 UTC`.
    pub fn time_text(at: Instant) -> String {
        let seconds = at.plus(Duration::from_millis(999)).seconds();
        let text = Instant::from_millis(seconds.saturating_mul(1000)).to_string();
        let date_and_time = text.get(..19).unwrap_or(&text);
        format!("{} UTC", date_and_time.replacen('T', " ", 1))
    }
}

fn imprint(note: &str) -> [u8; 32] {
    Sha256::digest(note).into()
}

#[cfg(test)]
mod tests;
