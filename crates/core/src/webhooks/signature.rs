use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

const PREFIX: &str = "whsec_";

/// The secret that signs the messages of a webhook.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Creates a secret from 32 random bytes.
    pub fn new(random: [u8; 32]) -> Self {
        Self(random.to_vec())
    }

    /// Parses the text form that a receiver is configured with.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self(STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?))
    }

    /// Returns the text form: `whsec_` and base64.
    pub fn text(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// Returns the value of the header `webhook-signature`: one signature per secret.
pub fn sign(secrets: &[Secret], id: &str, timestamp_s: i64, body: &str) -> String {
    let signature = |secret: &Secret| {
        // HMAC takes a key of any length.
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret.0).ok()?;
        mac.update(format!("{id}.{timestamp_s}.{body}").as_bytes());
        Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
    };
    secrets.iter().filter_map(signature).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's reference libraries.
    #[test]
    fn signs_as_the_reference_does() {
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("a secret");
        let body = r#"{"test": 2432232314}"#;
        let signed =
            sign(std::slice::from_ref(&secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        let twice = sign(
            &[secret.clone(), secret.clone()],
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1614265330,
            body,
        );
        assert_eq!(twice, format!("{signed} {signed}"));
        assert_eq!(Secret::parse(&secret.text()), Some(secret));
    }
}
