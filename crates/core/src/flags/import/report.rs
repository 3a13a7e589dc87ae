use std::fmt;

/// A part of the original that was left out or changed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct OmittedItem {
    /// JSON pointer (RFC 6901) into the original; empty for the whole document.
    pub pointer: String,
    /// The reason, as a clause for a human reader.
    pub reason: String,
}

/// Writes `<pointer> <reason>`, as a command prints it.
impl fmt::Display for OmittedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pointer, self.reason)
    }
}

/// A JSON pointer into the original document.
#[derive(Debug, Clone, Default)]
pub(super) struct SourcePointer(String);

impl SourcePointer {
    pub(super) fn at(&self, part: impl fmt::Display) -> Self {
        let part = part.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{part}", self.0))
    }

    pub(super) fn left_out(&self, reason: impl Into<String>) -> OmittedItem {
        OmittedItem { pointer: self.0.clone(), reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::SourcePointer;

    #[test]
    fn a_source_pointer_is_a_json_pointer() {
        let place = SourcePointer::default().at("features").at("a/b~c").at(3);
        assert_eq!(place.left_out("why").to_string(), "/features/a~1b~0c/3 why");
    }
}
