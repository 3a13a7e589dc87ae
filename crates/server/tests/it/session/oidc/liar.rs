//! A provider that says whatever a test wants it to say.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};

pub struct Liar {
    pub issuer: String,
    key: SigningKey,
    said: Arc<Mutex<Said>>,
}

/// What it answers next.
#[derive(Default, Clone)]
struct Said {
    token: String,
    metadata: Value,
    userinfo: Value,
    /// The last body that was sent to the token endpoint.
    asked: String,
}

fn part(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

impl Liar {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let key = SigningKey::from_bytes(&[7; 32]);
        let metadata = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/auth"),
            "token_endpoint": format!("{issuer}/token"),
            "userinfo_endpoint": format!("{issuer}/userinfo"),
            "jwks_uri": format!("{issuer}/jwks"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            // It even allows what nobody should take.
            "id_token_signing_alg_values_supported": ["EdDSA", "HS256", "none"],
        });
        let said = Arc::new(Mutex::new(Said { metadata, ..Said::default() }));
        let x = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
        let jwk = json!({"kty": "OKP", "crv": "Ed25519", "x": x, "kid": "k1", "alg": "EdDSA", "use": "sig"});
        std::thread::spawn({
            let said = Arc::clone(&said);
            move || {
                for stream in listener.incoming().flatten() {
                    // A client that goes away is none of its concern.
                    let _ = serve(stream, &said, &jwk);
                }
            }
        });
        Self { issuer, key, said }
    }

    fn said(&self) -> std::sync::MutexGuard<'_, Said> {
        self.said.lock().expect("it")
    }

    pub fn says(&self, name: &str, value: Value) {
        self.said().metadata[name] = value;
    }

    pub fn says_of_its_user(&self, userinfo: Value) {
        self.said().userinfo = userinfo;
    }

    pub fn gives(&self, token: String) {
        self.said().token = token;
    }

    pub fn was_asked(&self) -> String {
        self.said().asked.clone()
    }

    pub fn signed(&self, header: &Value, claims: &Value) -> String {
        let said = format!("{}.{}", part(&header.to_string()), part(&claims.to_string()));
        let signature = self.key.sign(said.as_bytes());
        format!("{said}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
    }
}

fn serve(mut stream: TcpStream, said: &Mutex<Said>, jwk: &Value) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim_end().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default();
    let mut said = said.lock().expect("it");
    let answer = match path {
        "/.well-known/openid-configuration" => said.metadata.clone(),
        "/jwks" => json!({"keys": [jwk]}),
        "/token" => {
            said.asked = String::from_utf8_lossy(&body).into_owned();
            let token = &said.token;
            json!({"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": token})
        }
        "/userinfo" => said.userinfo.clone(),
        _ => Value::Null,
    };
    let text = answer.to_string();
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{text}"
    )
}
