//! A set of texts to look into: a few are compared one by one, many by hash.

use crate::flags::names::Names;

const FEW: usize = 8;

#[derive(Debug)]
pub(in crate::flags) enum Texts {
    Few(Box<[Box<str>]>),
    Many(Names),
}

impl Texts {
    pub fn new(texts: &[&str]) -> Self {
        if texts.len() <= FEW {
            Self::Few(texts.iter().map(|&it| it.into()).collect())
        } else {
            Self::Many(Names::new(texts.iter().copied()))
        }
    }

    #[inline]
    pub fn contains(&self, text: &str) -> bool {
        match self {
            Self::Few(texts) => texts.iter().any(|it| **it == *text),
            Self::Many(texts) => texts.find(text).is_some(),
        }
    }
}
