//! A budget for the regular expressions of one document. Each expression is limited, but thousands
//! of them would use a processor for seconds.

use regex_automata::nfa::thompson::{Compiler, Config};

use super::diagnostic::Diagnostic;
use super::document::BYTES_MAX;
use super::json::{self, Json};
use super::matcher::{PATTERN_BYTES_MAX, PATTERN_SIZE_MAX};

/// Maximum number of expressions. Documents usually need only a few, for versions, cities and
/// e-mail domains.
const PATTERNS_MAX: usize = 500;
/// Maximum size of all compiled expressions together, in bytes.
const COMPILED_BYTES_MAX: usize = 8 << 20;

/// Checks that the expressions of a document are not too expensive, before any of them is compiled
/// for use.
///
/// `may_go_on` is called before each of them, because the caller has the clock. Other errors in the
/// document are reported by `Document::parse`.
///
/// # Errors
/// Returns an error if there are too many expressions, they compile to too many bytes, or
/// `may_go_on` returns false.
pub fn within_budget(text: &str, mut may_go_on: impl FnMut() -> bool) -> Result<(), Diagnostic> {
    // `Document::parse` checks the same limit and reports it.
    let Some(json) = (text.len() <= BYTES_MAX).then(|| json::parse(text).ok()).flatten() else {
        return Ok(());
    };
    let mut patterns = Vec::new();
    gather(&json.0, &mut patterns);
    if patterns.len() > PATTERNS_MAX {
        let count = patterns.len();
        return Err(budget_error(format!(
            "A document has at most {PATTERNS_MAX} regular expressions; this one has {count}."
        )));
    }
    let mut compiled_bytes = 0;
    for pattern in patterns {
        if !may_go_on() {
            let detail = "Compiling the regular expressions of the document takes too long.";
            return Err(budget_error(detail.to_owned()));
        }
        compiled_bytes += compiled_size(pattern);
        if compiled_bytes > COMPILED_BYTES_MAX {
            return Err(budget_error(format!(
                "The regular expressions of the document take more than {COMPILED_BYTES_MAX} bytes when compiled."
            )));
        }
    }
    Ok(())
}

fn budget_error(detail: String) -> Diagnostic {
    Diagnostic { pointer: String::new(), code: "pattern_budget", detail }
}

/// Collects the patterns of all `matches` tests in the JSON.
fn gather<'j>(json: &'j Json, patterns: &mut Vec<&'j str>) {
    match json {
        Json::Array(items) => items.iter().for_each(|item| gather(item, patterns)),
        Json::Object(members) => {
            let member =
                |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value);
            let is_match = matches!(member("op"), Some(Json::Text(op)) if op == "matches");
            if let (true, Some(Json::Text(pattern))) = (is_match, member("value")) {
                patterns.push(pattern);
            }
            members.iter().for_each(|(_, value)| gather(value, patterns));
        }
        _ => {}
    }
}

/// Returns the compiled size. It is 0 for a pattern that is rejected before compiling, and the
/// limit for one that is too large.
fn compiled_size(pattern: &str) -> usize {
    if pattern.len() > PATTERN_BYTES_MAX {
        return 0;
    }
    let limited = Config::new().nfa_size_limit(Some(PATTERN_SIZE_MAX));
    let built = Compiler::new().configure(limited).build(pattern);
    built.map_or_else(|error| error.size_limit().unwrap_or(0), |pattern| pattern.memory_usage())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(count: usize, pattern: &str) -> String {
        let test = format!(r#"{{"attr":"email","op":"matches","value":"{pattern}"}}"#);
        let tests = vec![test; count].join(",");
        format!(r#"{{"segments":[{{"key":"s","condition":{{"any":[{tests}]}}}}]}}"#)
    }

    #[test]
    fn limits_count_size_and_time() {
        let check = |text: &str| within_budget(text, || true).map_err(|error| error.detail);
        assert_eq!(check(&document(PATTERNS_MAX, "^a[0-9]+$")), Ok(()));
        assert!(
            check(&document(PATTERNS_MAX + 1, "a")).is_err_and(|detail| detail.contains("501"))
        );
        let large = document(400, r"\\w{30}");
        assert!(check(&large).is_err_and(|detail| detail.contains("bytes when compiled")));
        let mut remaining = 3;
        let slow = within_budget(&document(9, "a"), || {
            remaining -= 1;
            remaining > 0
        });
        assert!(slow.is_err_and(|error| error.detail.contains("too long")));
        // `Document::parse` rejects invalid documents and expressions.
        assert_eq!(check("{"), Ok(()));
        assert_eq!(check(&document(1, "(")), Ok(()));
    }
}
