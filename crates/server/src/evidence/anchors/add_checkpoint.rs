//! One request `add-checkpoint` (C2SP `tlog-witness`) to a witness.

use musette_core::log::note::{Note, NoteSignature};
use musette_store::{Log, StampedHead, Store, StoreError};

use super::client::{Client, Response};
use super::witness_policy::AskedWitness;
use crate::platform::counted::counted;

const TEXT: &str = "text/plain; charset=utf-8";
/// A witness that another client moved meanwhile is asked again with its size.
const REQUESTS_MAX: usize = 2;
/// How much of the body of an error is logged.
const LOGGED_MAX: usize = 200;

/// The answer of a witness.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// It cosigned the checkpoint. The lines verify.
    Cosigned(Vec<NoteSignature>),
    /// It has cosigned a newer checkpoint of this size.
    Newer(u64),
}

/// The reason why a witness did not cosign.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It answered, but did not cosign. The status is 0 if the answer is not what the specification
    /// allows.
    #[error("{why}")]
    Refused { status: u16, why: String },
    /// No complete response.
    #[error("{0}")]
    Absent(String),
}

fn refused(status: u16, why: impl Into<String>) -> AskError {
    AskError::Refused { status, why: why.into() }
}

/// Sends a checkpoint to a witness. `old` is the size that it confirmed last.
///
/// # Errors
/// Returns the reason why it did not cosign.
pub async fn ask(
    client: &Client,
    store: &Store,
    witness: &AskedWitness,
    (log, head): (&Log, &StampedHead),
    mut old: u64,
) -> Result<Answer, AskError> {
    let size = head.size.unsigned_abs();
    for _ in 0..REQUESTS_MAX {
        let proof = match old {
            0 => Vec::new(),
            old => store.consistency_proof(log, old, size).await?,
        };
        let lines: String = proof.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
        let body = format!("old {old}\n{lines}\n{}", head.checkpoint);
        let response = client.post(&witness.url, TEXT, body.into_bytes()).await;
        let response = response.map_err(AskError::Absent)?;
        match response.status {
            200 => return cosignatures(&response, witness, &head.checkpoint),
            409 => match conflict(&response.body) {
                Some(last) if last == old => {
                    return Err(refused(0, "it answered 409 with the size that was sent"));
                }
                Some(last) if last > size => return newer(store, log, last).await,
                Some(last) => old = last,
                None => return Err(refused(0, "the body of its 409 is not a size")),
            },
            status => {
                return Err(refused(
                    status,
                    format!("status {status}: {}", printable(&response.body)),
                ));
            }
        }
    }
    Err(refused(0, "other clients change its size all the time"))
}

/// Decides whether the log has grown to the size of the witness meanwhile.
async fn newer(store: &Store, log: &Log, size: u64) -> Result<Answer, AskError> {
    let current = store.head_to_stamp().await?.filter(|head| head.log == log.id);
    let current = current.map_or(0, |head| head.size.unsigned_abs());
    if size <= current {
        return Ok(Answer::Newer(size));
    }
    let why = format!(
        "it has cosigned {}, and this log has {current}: the store was restored from an older backup, or another server signs with its key",
        counted(size, "entry", "entries")
    );
    Err(refused(409, why))
}

/// Parses the body of a 409: the size and a newline.
fn conflict(body: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(body).ok()?.strip_suffix('\n')?;
    let size: u64 = digits.parse().ok()?;
    (size.to_string() == digits && i64::try_from(size).is_ok()).then_some(size)
}

/// Returns the lines of the witness's keys, which must verify. Lines of other keys are ignored.
fn cosignatures(
    response: &Response,
    witness: &AskedWitness,
    checkpoint: &str,
) -> Result<Answer, AskError> {
    let wrong = |why: String| refused(0, why);
    let note = Note::parse(checkpoint).map_err(|error| wrong(error.to_string()))?;
    let body = std::str::from_utf8(&response.body).ok();
    let body = body.and_then(|body| body.strip_suffix('\n'));
    let body = body.ok_or_else(|| wrong("its answer is not a list of signature lines".into()))?;
    let mut lines: Vec<NoteSignature> = Vec::new();
    for line in body.split('\n') {
        let line = NoteSignature::parse(line)
            .ok_or_else(|| wrong("its answer is not a list of signature lines".into()))?;
        let Some(key) = witness.keys.iter().find(|key| key.is_of(&line)) else { continue };
        let time = key.verify(note.text(), &line).map_err(|error| wrong(error.to_string()))?;
        if time == 0 {
            return Err(wrong("its cosignature states no time".into()));
        }
        if !lines.iter().any(|other| key.is_of(other)) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return Err(wrong("its answer has no cosignature of a key in the policy".into()));
    }
    Ok(Answer::Cosigned(lines))
}

/// Returns the beginning of a body for the log.
fn printable(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let line = text.trim().chars().take(LOGGED_MAX);
    line.map(|char| if char.is_control() { ' ' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::{conflict, printable};

    #[test]
    fn accepts_one_spelling_of_a_size() {
        assert_eq!(conflict(b"0\n"), Some(0));
        assert_eq!(conflict(b"4711\n"), Some(4711));
        let large = "9223372036854775808\n".as_bytes();
        for body in [&b""[..], b"\n", b"7", b"07\n", b"+7\n", b"-1\n", b"7\n\n", b"\xff\n", large] {
            assert_eq!(conflict(body), None, "{body:?}");
        }
    }

    #[test]
    fn logs_one_short_line() {
        assert_eq!(printable(b"no\nsuch \x1b[31mlog\n"), "no such  [31mlog");
        assert_eq!(printable(&[b'x'; 1000]).len(), 200);
    }
}
