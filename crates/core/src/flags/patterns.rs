//! A budget for the regular expressions of one document. Each is short and bounded by itself, but a
//! document with thousands of them would keep a processor busy for seconds.

use regex_automata::nfa::thompson::{Compiler, Config};

use super::diagnostic::Diagnostic;
use super::document::BYTES_MAX;
use super::json::{self, Json};
use super::matcher::{PATTERN_BYTES_MAX, PATTERN_SIZE_MAX};

/// People match versions, towns and mail domains by a few of them.
const PATTERNS_MAX: usize = 500;
/// Limit for all of them together, compiled, in bytes.
const COMPILED_BYTES_MAX: usize = 8 << 20;

/// Refuses a document whose expressions cost too much, before any of them is compiled to be used.
///
/// `may_go_on` is asked before each of them: whoever calls has the clock. What is wrong with the
/// document otherwise is for `Document::parse` to say.
///
/// # Errors
/// When there are too many expressions, they compile to too many bytes, or `may_go_on` says no.
pub fn within_budget(text: &str, mut may_go_on: impl FnMut() -> bool) -> Result<(), Diagnostic> {
    // The document's reader checks the same limit and reports it.
    let Some(json) = (text.len() <= BYTES_MAX).then(|| json::parse(text).ok()).flatten() else {
        return Ok(());
    };
    let mut patterns = Vec::new();
    gather(&json.0, &mut patterns);
    if patterns.len() > PATTERNS_MAX {
        let found = patterns.len();
        return Err(fault(format!(
            "A document has at most {PATTERNS_MAX} regular expressions; this one has {found}."
        )));
    }
    let mut compiled_bytes = 0;
    for pattern in patterns {
        if !may_go_on() {
            let detail = "Its regular expressions take too long to be compiled.";
            return Err(fault(detail.to_owned()));
        }
        compiled_bytes += compiled_size(pattern);
        if compiled_bytes > COMPILED_BYTES_MAX {
            return Err(fault(format!(
                "Its regular expressions take more than {COMPILED_BYTES_MAX} bytes when compiled."
            )));
        }
    }
    Ok(())
}

fn fault(detail: String) -> Diagnostic {
    Diagnostic { pointer: String::new(), code: "pattern_budget", detail }
}

/// Collects the pattern of every `matches` test, wherever it stands.
fn gather<'j>(json: &'j Json, patterns: &mut Vec<&'j str>) {
    match json {
        Json::Array(items) => items.iter().for_each(|item| gather(item, patterns)),
        Json::Object(members) => {
            let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, it)| it);
            let is_match = matches!(member("op"), Some(Json::Text(op)) if op == "matches");
            if let (true, Some(Json::Text(pattern))) = (is_match, member("value")) {
                patterns.push(pattern);
            }
            members.iter().for_each(|(_, value)| gather(value, patterns));
        }
        _ => {}
    }
}

/// 0 for one that is refused by itself at once; one that is too large costs as much as it may.
fn compiled_size(pattern: &str) -> usize {
    if pattern.len() > PATTERN_BYTES_MAX {
        return 0;
    }
    let limited = Config::new().nfa_size_limit(Some(PATTERN_SIZE_MAX));
    let built = Compiler::new().configure(limited).build(pattern);
    built.map_or_else(|error| error.size_limit().unwrap_or(0), |it| it.memory_usage())
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
    fn count_size_and_time_have_an_end() {
        let judged = |text: &str| within_budget(text, || true).map_err(|it| it.detail);
        assert_eq!(judged(&document(PATTERNS_MAX, "^a[0-9]+$")), Ok(()));
        assert!(judged(&document(PATTERNS_MAX + 1, "a")).is_err_and(|it| it.contains("501")));
        let large = document(400, r"\\w{30}");
        assert!(judged(&large).is_err_and(|it| it.contains("bytes when compiled")));
        let mut left = 3;
        let slow = within_budget(&document(9, "a"), || {
            left -= 1;
            left > 0
        });
        assert!(slow.is_err_and(|it| it.detail.contains("too long")));
        // The document's reader refuses invalid documents and expressions.
        assert_eq!(judged("{"), Ok(()));
        assert_eq!(judged(&document(1, "(")), Ok(()));
    }
}
