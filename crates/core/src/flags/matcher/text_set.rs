//! A set of texts. A few short texts are stored together and scanned; many are found by hash.

use std::borrow::Cow;

use crate::flags::interner::{Interner, pack, same_bytes};

const FEW: usize = 8;

#[derive(Debug)]
pub(in crate::flags) enum TextSet {
    /// A few texts that are short enough to be packed into numbers, such as countries, languages or
    /// platforms.
    Short(Box<[u64]>),
    Few {
        text: Box<str>,
        /// End of each text in `text`.
        ends: [u8; FEW],
        count: u8,
    },
    Many(Interner),
}

impl TextSet {
    pub fn new(texts: &[&str]) -> Self {
        let short: Option<Box<[u64]>> = texts.iter().map(|text| pack(text.as_bytes())).collect();
        if let Some(short) = short.filter(|packed| packed.len() <= FEW) {
            return Self::Short(short);
        }
        let text = texts.concat();
        if texts.len() > FEW || text.len() > usize::from(u8::MAX) {
            return Self::Many(Interner::new(texts.iter().copied()));
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
            Self::Short(numbers) => {
                pack(wanted.as_bytes()).is_some_and(|text| numbers.contains(&text))
            }
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

    /// Returns the texts in the order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let count = match self {
            Self::Short(numbers) => numbers.len() as u32,
            Self::Few { count, .. } => u32::from(*count),
            Self::Many(texts) => texts.len() as u32,
        };
        (0..count).map(move |number| match self {
            Self::Short(numbers) => unpack(numbers[number as usize]).into(),
            Self::Few { text, ends, .. } => {
                let at = number as usize;
                let start = at.checked_sub(1).map_or(0, |before| ends[before]);
                text[usize::from(start)..usize::from(ends[at])].into()
            }
            Self::Many(texts) => texts.name(number).into(),
        })
    }
}

/// Returns the text that was packed into this number.
fn unpack(number: u64) -> String {
    let bytes = number.to_le_bytes();
    let (text, _) = bytes.split_at(usize::from(bytes[7]).min(7));
    String::from_utf8_lossy(text).into_owned()
}
