//! The logs that a witness signs, from `--log` and `--logs`.

use std::collections::BTreeMap;

use musette_core::log::cosignature::ORIGIN_MAX;
use musette_core::log::key::VerifierKey;

/// The trusted keys of each log by its origin.
pub type Logs = BTreeMap<String, Vec<VerifierKey>>;

/// Parses `VKEY[,ORIGIN]` and adds the key. Without an origin, the name of the key is the origin.
pub fn add(logs: &mut Logs, text: &str) -> Result<(), String> {
    let (vkey, origin) = split(text);
    let key = VerifierKey::parse(vkey).map_err(|error| error.to_string())?;
    let origin = origin.unwrap_or(key.name());
    if origin.is_empty() || origin.contains(char::is_control) || origin.len() > ORIGIN_MAX {
        return Err(format!("an origin has 1 to {ORIGIN_MAX} bytes and no control characters"));
    }
    let keys = logs.entry(origin.to_owned()).or_default();
    if keys.contains(&key) {
        return Ok(());
    }
    // A line with this name and id could not be assigned to one of the keys.
    if keys.iter().any(|other| other.name() == key.name() && other.id() == key.id()) {
        return Err(format!("two keys of {origin} have the same name and id"));
    }
    keys.push(key);
    Ok(())
}

/// Parses a file with one `VKEY[,ORIGIN]` a line. Empty lines and lines with `#` are ignored.
pub fn add_file(logs: &mut Logs, text: &str) -> Result<(), String> {
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            add(logs, line).map_err(|why| format!("line {}: {why}", index + 1))?;
        }
    }
    Ok(())
}

/// Cuts at the first comma after the vkey's base64. The name of a key may contain commas.
fn split(text: &str) -> (&str, Option<&str>) {
    let base64 = text.match_indices('+').nth(1).map_or(0, |(index, _)| index);
    match text[base64..].find(',') {
        Some(comma) => (&text[..base64 + comma], Some(&text[base64 + comma + 1..])),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use musette_core::log::cosignature::Cosigner;
    use musette_core::log::key::Signer;

    use super::*;

    fn vkey(name: &str, seed: u8) -> String {
        Signer::from_seed(name, &[seed; 32]).expect("a name").verifier().to_string()
    }

    #[test]
    fn reads_keys_with_and_without_origin() {
        let mut logs = Logs::new();
        let ml_dsa = Cosigner::ml_dsa_44("a,b", &[1; 32]).expect("a name");
        let text = format!(
            "# logs\n\n{}\n {},go.sum database, tree \n{}\n{}\n",
            vkey("a,b", 1),
            vkey("sum.example", 2),
            ml_dsa.verifier(),
            vkey("a,b", 1)
        );
        add_file(&mut logs, &text).expect("logs");
        let counts: Vec<_> = logs.iter().map(|(origin, keys)| (&**origin, keys.len())).collect();
        assert_eq!(counts, [("a,b", 2), ("go.sum database, tree", 1)]);
    }

    #[test]
    fn names_the_line_of_an_error() {
        let mut logs = Logs::new();
        let text = format!("{}\nnonsense\n", vkey("a", 1));
        let error = add_file(&mut logs, &text).expect_err("an error");
        assert!(error.starts_with("line 2: a verifier key is"), "{error}");
        assert!(add(&mut logs, &format!("{},", vkey("a", 1))).is_err());
        let witness = Cosigner::ed25519("w", &[1; 32]).expect("a name").verifier().to_string();
        assert!(add(&mut logs, &witness).is_err());
    }
}
