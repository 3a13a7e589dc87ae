//! What a rider's restrictions mean for the permission to work at an instant. Start and end are
//! judged at reading, whichever task has run.

use serde::{Deserialize, Serialize};

use super::{Restriction, RestrictionKind, table::RestrictionStatus};
use crate::instant::Instant;

/// An imposed restriction with its times, in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imposition {
    /// ID of the restriction.
    pub id: String,
    /// What it limits.
    pub kind: RestrictionKind,
    /// Its start, inclusive.
    pub starts_at: i64,
    /// Its end, exclusive.
    pub ends_at: Option<i64>,
}

impl Imposition {
    /// Returns the imposition of a restriction, unless it has another status.
    pub fn of(restriction: &Restriction) -> Option<Self> {
        let content = &restriction.content;
        (restriction.status == RestrictionStatus::Imposed).then(|| Self {
            id: restriction.id.clone(),
            kind: content.kind,
            starts_at: content.starts_at.unwrap_or(restriction.decided_at),
            ends_at: content.ends_at,
        })
    }

    const fn is_in_force(&self, now: Instant) -> bool {
        let is_before_end = match self.ends_at {
            Some(end) => now.millis() < end,
            None => true,
        };
        self.starts_at <= now.millis() && is_before_end
    }
}

/// A limitation in force. Instants are in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limitation {
    /// ID of the restriction.
    pub restriction_id: String,
    /// Its start.
    pub starts_at: i64,
    /// Its end.
    pub ends_at: Option<i64>,
}

/// The restrictions in force at an instant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InForce {
    /// IDs of the suspensions and terminations.
    pub blocking: Vec<String>,
    /// The limitations.
    pub limitations: Vec<Limitation>,
    /// The next start or end.
    pub changes_at: Option<Instant>,
}

impl InForce {
    /// Returns which of a rider's restrictions are in force, in the order of their starts.
    pub fn of(mut impositions: Vec<Imposition>, now: Instant) -> Self {
        impositions.sort_by(|a, b| (a.starts_at, &a.id).cmp(&(b.starts_at, &b.id)));
        let mut answer = Self::default();
        for imposition in impositions {
            let times = [Some(imposition.starts_at), imposition.ends_at];
            let next = times.into_iter().flatten().filter(|at| *at > now.millis()).min();
            let next = next.map(Instant::from_millis);
            answer.changes_at = [answer.changes_at, next].into_iter().flatten().min();
            if !imposition.is_in_force(now) {
                continue;
            }
            if imposition.kind.blocks_work() {
                answer.blocking.push(imposition.id);
            } else {
                answer.limitations.push(Limitation {
                    restriction_id: imposition.id,
                    starts_at: imposition.starts_at,
                    ends_at: imposition.ends_at,
                });
            }
        }
        answer
    }
}
