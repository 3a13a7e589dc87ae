//! An OIDC provider whose responses a test sets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};

pub struct FakeOidcProvider {
    pub issuer: String,
    key: SigningKey,
    state: Arc<Mutex<State>>,
}

/// The next responses of the provider.
#[derive(Default, Clone)]
struct State {
    token: String,
    metadata: Value,
    userinfo: Value,
    /// The last request body of the token endpoint.
    last_token_request: String,
}

fn part(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

impl FakeOidcProvider {
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
            // The metadata allows algorithms that a client must refuse.
            "id_token_signing_alg_values_supported": ["EdDSA", "HS256", "none"],
        });
        let state = Arc::new(Mutex::new(State { metadata, ..State::default() }));
        let x = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
        let jwk = json!({"kty": "OKP", "crv": "Ed25519", "x": x, "kid": "k1", "alg": "EdDSA", "use": "sig"});
        std::thread::spawn({
            let state = Arc::clone(&state);
            move || {
                for stream in listener.incoming().flatten() {
                    // A client may disconnect at any time.
                    let _ = serve(stream, &state, &jwk);
                }
            }
        });
        Self { issuer, key, state }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("it")
    }

    pub fn set_metadata(&self, name: &str, value: Value) {
        self.state().metadata[name] = value;
    }

    pub fn set_userinfo(&self, userinfo: Value) {
        self.state().userinfo = userinfo;
    }

    pub fn set_id_token(&self, token: String) {
        self.state().token = token;
    }

    pub fn last_token_request(&self) -> String {
        self.state().last_token_request.clone()
    }

    pub fn signed(&self, header: &Value, claims: &Value) -> String {
        let payload = format!("{}.{}", part(&header.to_string()), part(&claims.to_string()));
        let signature = self.key.sign(payload.as_bytes());
        format!("{payload}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
    }
}

fn serve(mut stream: TcpStream, state: &Mutex<State>, jwk: &Value) -> std::io::Result<()> {
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
    let mut state = state.lock().expect("it");
    let answer = match path {
        "/.well-known/openid-configuration" => state.metadata.clone(),
        "/jwks" => json!({"keys": [jwk]}),
        "/token" => {
            state.last_token_request = String::from_utf8_lossy(&body).into_owned();
            let token = &state.token;
            json!({"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": token})
        }
        "/userinfo" => state.userinfo.clone(),
        _ => Value::Null,
    };
    let text = answer.to_string();
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{text}"
    )
}
