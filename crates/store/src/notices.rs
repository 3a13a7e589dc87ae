//! Notices: when they reached people, and who opened them.
//!
//! Published notices are terms ([`crate::terms`]). Which of them a person sees is a rule of
//! `musette_core::terms`.

pub(crate) mod openings;
pub(crate) mod push;
pub(crate) mod reach;
pub(crate) mod receptions;
pub(crate) mod verify;

#[cfg(test)]
pub(crate) const ALL: &[&[&str]] =
    &[openings::ALL, push::ALL, reach::ALL, receptions::ALL, verify::ALL];

pub use openings::{NewNoticeOpening, NoticeOpening, NoticeOpeningReceipt};
pub use push::{PushSaved, PushSubscription};
pub use reach::NoticeCounts;
pub use receptions::{NoticeReception, NoticeState};
