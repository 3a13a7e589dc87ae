use std::fmt;

/// Something of the original that is not in the result, or is not quite the same.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// RFC 6901, in the original; empty for all of it.
    pub pointer: String,
    /// Why it was left out or changed, as a sentence.
    pub reason: String,
}

/// `<pointer> <reason>`, as a command prints it.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pointer, self.reason)
    }
}

/// A place in the original.
#[derive(Debug, Clone, Default)]
pub(super) struct SourcePointer(String);

impl SourcePointer {
    pub(super) fn at(&self, part: impl fmt::Display) -> Self {
        let part = part.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{part}", self.0))
    }

    pub(super) fn left_out(&self, reason: impl Into<String>) -> LeftOut {
        LeftOut { pointer: self.0.clone(), reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::SourcePointer;

    #[test]
    fn a_place_is_a_json_pointer() {
        let place = SourcePointer::default().at("features").at("a/b~c").at(3);
        assert_eq!(place.left_out("why").to_string(), "/features/a~1b~0c/3 why");
    }
}
