//! Prepared results: JSON that is written when the snapshot is built, so that most evaluations only
//! copy bytes.
//!
//! A result depends on the flag and the deciding part, and not on the user, unless holdouts, sticky
//! assignments, fallback units, overrides or prerequisites are involved. Those results are written
//! on request. Therefore each flag has one result for being off or the default, one for each rule,
//! and one for each arm of an experiment.
//!
//! They are stored in one allocation in the order of the flags, and are found by number: rules
//! contain the number of their first result, and `spans` contains offset and length. The memory is
//! O(flags + rules + arms) times the length of a result. Returning a result is O(its length), and
//! nothing is formatted or escaped during a request.

/// Results in version 3 of the API, each as a member of an object: `"quest-cards":{…}`. The results
/// of all flags are in one text, in the order in which most clients evaluate them.
#[derive(Debug, Default)]
pub(in crate::flags) struct Answers {
    pub text: Box<[u8]>,
    /// Positions of the results. For each flag, the first is that of being off or the default,
    /// followed by those of its rules. An experiment has one per arm.
    pub spans: Box<[Span]>,
}

#[derive(Debug)]
pub(in crate::flags) struct Span {
    pub start: usize,
    /// Number of bytes of the name and the colon.
    pub name_bytes: u32,
    pub bytes: u32,
}

impl Answers {
    #[inline]
    pub fn member(&self, number: u32) -> &[u8] {
        let span = &self.spans[number as usize];
        &self.text[span.start..][..span.bytes as usize]
    }

    /// Returns the object, `{…}`.
    #[inline]
    pub fn object(&self, number: u32) -> &[u8] {
        &self.member(number)[self.spans[number as usize].name_bytes as usize..]
    }

    /// Returns the name, `"quest-cards":`.
    #[inline]
    pub fn name(&self, number: u32) -> &[u8] {
        &self.member(number)[..self.spans[number as usize].name_bytes as usize]
    }
}
