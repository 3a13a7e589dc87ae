//! JSON pointers (RFC 6901) as a chain on the stack. The text is created only for an error.

use std::fmt::Write as _;

#[derive(Debug, Clone, Copy)]
pub(super) struct Pointer<'a> {
    parent: Option<&'a Pointer<'a>>,
    token: Token<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Token<'a> {
    Whole,
    Name(&'a str),
    Index(usize),
}

impl<'a> Pointer<'a> {
    pub const DOCUMENT: Pointer<'static> = Pointer { parent: None, token: Token::Whole };

    pub const fn name(&'a self, name: &'a str) -> Pointer<'a> {
        Pointer { parent: Some(self), token: Token::Name(name) }
    }

    pub const fn index(&'a self, index: usize) -> Pointer<'a> {
        Pointer { parent: Some(self), token: Token::Index(index) }
    }

    /// Returns the text of the pointer (RFC 6901).
    pub fn pointer(&self) -> String {
        let mut pointer = self.parent.map(Pointer::pointer).unwrap_or_default();
        match self.token {
            Token::Whole => {}
            Token::Name(name) => {
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Token::Index(index) => {
                // Writing to a string cannot fail.
                let _ = write!(pointer, "/{index}");
            }
        }
        pointer
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn names_are_escaped() {
        let flags = Pointer::DOCUMENT.name("flags");
        let third = flags.index(2);
        assert_eq!(third.name("a/b~c").pointer(), "/flags/2/a~1b~0c");
        assert_eq!(Pointer::DOCUMENT.pointer(), "");
    }
}
