//! Which channels reach a rider.

use super::definition::Channel;

/// Why a rider gets no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// They have decided, or opened the notice.
    Decided,
    /// No text fits their language, and none is in the default language of the term.
    NoText,
    /// A message to their address was refused permanently.
    Bounced,
    /// They do not want e-mails about optional terms.
    RestrictedChannel,
    /// They have no address for the channels.
    NoAddress,
}

impl SkipReason {
    /// Returns the name in the JSON and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decided => "decided",
            Self::NoText => "no_text",
            Self::Bounced => "bounced",
            Self::RestrictedChannel => "restricted_channel",
            Self::NoAddress => "no_address",
        }
    }
}

/// What decides whether a rider can be reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reachability {
    /// They have decided, or opened the notice.
    pub has_decided: bool,
    /// A text fits their language, or one is in the default language of the term.
    pub has_text: bool,
    /// They have an e-mail address.
    pub has_email: bool,
    /// They have a phone number.
    pub has_phone: bool,
    /// A browser of theirs accepts push messages.
    pub has_push: bool,
    /// A message to their e-mail address was refused permanently.
    pub has_bounced: bool,
    /// They do not want e-mails about this term.
    pub has_opted_out: bool,
}

impl Reachability {
    /// Returns whether the channel reaches the rider.
    pub fn reaches(self, channel: Channel) -> bool {
        let has_address = match channel {
            Channel::App | Channel::Webhook => true,
            Channel::Email => self.has_email && !self.has_bounced && !self.has_opted_out,
            Channel::Sms => self.has_phone,
            Channel::Push => self.has_push,
        };
        !self.has_decided && self.has_text && has_address
    }

    /// Returns why none of the channels reaches the rider. `None` if one does.
    pub fn skip_reason(self, channels: &[Channel]) -> Option<SkipReason> {
        if self.has_decided {
            return Some(SkipReason::Decided);
        }
        if !self.has_text {
            return Some(SkipReason::NoText);
        }
        if channels.iter().any(|channel| self.reaches(*channel)) {
            return None;
        }
        let lacks_email = channels.contains(&Channel::Email) && self.has_email;
        Some(match (lacks_email && self.has_bounced, lacks_email && self.has_opted_out) {
            (true, _) => SkipReason::Bounced,
            (_, true) => SkipReason::RestrictedChannel,
            _ => SkipReason::NoAddress,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACHED: Reachability = Reachability {
        has_decided: false,
        has_text: true,
        has_email: true,
        has_phone: true,
        has_push: true,
        has_bounced: false,
        has_opted_out: false,
    };

    #[test]
    fn reaches_riders_with_an_address_for_the_channel() {
        for channel in Channel::ALL {
            assert!(REACHED.reaches(channel), "{channel:?}");
            assert!(!Reachability { has_decided: true, ..REACHED }.reaches(channel));
            assert!(!Reachability { has_text: false, ..REACHED }.reaches(channel));
        }
        let bare = Reachability { has_text: true, ..Reachability::default() };
        let reached: Vec<_> = Channel::ALL.into_iter().filter(|one| bare.reaches(*one)).collect();
        assert_eq!(reached, [Channel::App, Channel::Webhook]);
    }

    #[test]
    fn names_the_first_reason_that_holds() {
        use SkipReason::{Bounced, Decided, NoAddress, NoText, RestrictedChannel};
        let all = Reachability {
            has_decided: true,
            has_text: false,
            has_bounced: true,
            has_opted_out: true,
            has_phone: false,
            ..REACHED
        };
        let reason = |reach: Reachability, channels: &[Channel]| reach.skip_reason(channels);
        let email = &[Channel::Email];
        assert_eq!(reason(all, email), Some(Decided));
        let undecided = Reachability { has_decided: false, ..all };
        assert_eq!(reason(undecided, email), Some(NoText));
        let with_text = Reachability { has_text: true, ..undecided };
        assert_eq!(reason(with_text, email), Some(Bounced));
        let valid = Reachability { has_bounced: false, ..with_text };
        assert_eq!(reason(valid, email), Some(RestrictedChannel));
        let unknown = Reachability { has_email: false, ..with_text };
        assert_eq!(reason(unknown, email), Some(NoAddress));
        assert_eq!(reason(with_text, &[Channel::Sms]), Some(NoAddress));
        assert_eq!(reason(with_text, &[Channel::Email, Channel::App]), None);
    }
}
