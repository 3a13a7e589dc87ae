//! A set of texts to look into: a few short ones lie side by side, many are found by hash.

use crate::flags::names::{Names, same_bytes};

const FEW: usize = 8;

#[derive(Debug)]
pub(in crate::flags) enum Texts {
    Few {
        text: Box<str>,
        /// Where each ends in `text`.
        ends: [u8; FEW],
        count: u8,
    },
    Many(Names),
}

impl Texts {
    pub fn new(texts: &[&str]) -> Self {
        let text = texts.concat();
        if texts.len() > FEW || text.len() > usize::from(u8::MAX) {
            return Self::Many(Names::new(texts.iter().copied()));
        }
        let mut ends = [0; FEW];
        let mut end = 0;
        for (at, text) in ends.iter_mut().zip(texts) {
            end += text.len() as u8;
            *at = end;
        }
        Self::Few { text: text.into(), ends, count: texts.len() as u8 }
    }

    #[inline]
    pub fn contains(&self, wanted: &str) -> bool {
        match self {
            Self::Few { text, ends, count } => {
                let mut rest = text.as_bytes();
                let mut start = 0;
                for end in &ends[..usize::from(*count)] {
                    let Some((one, others)) = rest.split_at_checked(usize::from(end - start))
                    else {
                        return false;
                    };
                    if same_bytes(one, wanted.as_bytes()) {
                        return true;
                    }
                    (rest, start) = (others, *end);
                }
                false
            }
            Self::Many(texts) => texts.holds(wanted),
        }
    }

    /// In the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let count = match self {
            Self::Few { count, .. } => u32::from(*count),
            Self::Many(texts) => texts.len() as u32,
        };
        (0..count).map(move |number| match self {
            Self::Few { text, ends, .. } => {
                let at = number as usize;
                let start = at.checked_sub(1).map_or(0, |before| ends[before]);
                &text[usize::from(start)..usize::from(ends[at])]
            }
            Self::Many(texts) => texts.name(number),
        })
    }
}
