//! Converts strategies of Unleash, which select the users of a feature.

use super::constraint::{self, is_in, is_network, networks};
use super::input::{Constraint, Segment, Strategy};
use super::segment_key;
use super::window::Window;
use crate::flags::document::{AttributeType, Condition, Percent};
use crate::flags::import::draft::{Draft, exists, not, percent};
use crate::flags::import::report::SourcePointer;

/// Users who meet the conditions, or a share of them.
#[derive(Default)]
pub(super) struct Audience {
    pub(super) conditions: Vec<Condition>,
    pub(super) drawn: Option<Drawn>,
    pub(super) window: Window,
}

pub(super) struct Drawn {
    pub(super) percent: Percent,
    pub(super) by: Stickiness,
}

#[derive(Clone, PartialEq)]
pub(super) enum Stickiness {
    /// Draws by the user, or by the session. Unleash then draws the remaining users at random.
    Default,
    Attribute(String),
}

impl Stickiness {
    pub(super) fn named(name: &str) -> Self {
        if name.is_empty() || name == "default" {
            Self::Default
        } else {
            Self::Attribute(name.to_owned())
        }
    }
}

/// Converts a strategy. Returns `None` if it reaches no user, or could not be converted.
pub(super) fn audience(
    draft: &mut Draft,
    strategy: &Strategy,
    segments: &[Segment],
    place: &SourcePointer,
) -> Option<Audience> {
    if strategy.disabled {
        return None;
    }
    let mut audience = match by_name(draft, strategy, place) {
        Ok(audience) => audience?,
        Err(reason) => {
            draft.leave_out(place, reason);
            return None;
        }
    };
    for id in &strategy.segments {
        let key = segment_key(*id);
        let position = segments.iter().position(|segment| segment.id == *id);
        if let Some(position) = position
            && constraint::depends_on_time(&segments[position].constraints)
        {
            let place = SourcePointer::default().at("segments").at(position);
            add(draft, &mut audience, &segments[position].constraints, &place)?;
            continue;
        }
        if !draft.segments.iter().any(|segment| segment.key == key) {
            draft.leave_out(&place.at("segments"), format!("the segment {id} was not imported"));
            return None;
        }
        audience.conditions.push(Condition::Segment(key));
    }
    add(draft, &mut audience, &strategy.constraints, place)?;
    in_window(draft, audience, place)
}

/// Adds constraints. Returns `None` if one of them could not be converted.
fn add(
    draft: &mut Draft,
    audience: &mut Audience,
    constraints: &[Constraint],
    place: &SourcePointer,
) -> Option<()> {
    match constraint::all(draft, constraints, place) {
        Ok(translated) => {
            audience.conditions.extend(translated.conditions);
            audience.window = audience.window.and(translated.window);
            draft.left_out.extend(translated.notes);
            Some(())
        }
        Err(left_out) => {
            draft.left_out.push(left_out);
            None
        }
    }
}

/// Makes the audience draw users if it depends on the time, because only rollouts have times.
fn in_window(draft: &mut Draft, mut audience: Audience, place: &SourcePointer) -> Option<Audience> {
    let window = audience.window;
    if window.is_never() {
        return None;
    }
    if window.is_always() {
        audience.drawn = audience.drawn.filter(|drawn| drawn.percent < Percent::HUNDRED);
        return Some(audience);
    }
    let everyone = || Drawn { percent: Percent::HUNDRED, by: Stickiness::Default };
    let drawn = audience.drawn.get_or_insert_with(everyone);
    if drawn.percent == Percent::HUNDRED && drawn.by == Stickiness::Default {
        let reason =
            "users without userId and sessionId are not served, because only rollouts have times";
        draft.leave_out(place, reason);
    }
    Some(audience)
}

type AudienceResult = Result<Option<Audience>, String>;

fn by_name(draft: &mut Draft, strategy: &Strategy, place: &SourcePointer) -> AudienceResult {
    let everyone = |conditions| Ok(Some(Audience { conditions, ..Audience::default() }));
    match strategy.name.as_str() {
        "default" => everyone(Vec::new()),
        "userWithId" => everyone(vec![is_in("userId", &list(strategy, "userIds"))]),
        "remoteAddress" => {
            draft.attributes.need("remoteAddress", AttributeType::Ip)?;
            let listed = list(strategy, "IPs");
            let (good, bad): (Vec<&str>, Vec<&str>) =
                listed.iter().map(String::as_str).partition(|address| is_network(address));
            for address in bad {
                draft.leave_out(
                    &place.at("parameters").at("IPs"),
                    format!("{address:?} is not an IP address or network"),
                );
            }
            everyone(vec![networks("remoteAddress", &good)])
        }
        "gradualRolloutUserId" => part(draft, strategy, place, "percentage", "userId"),
        "gradualRolloutSessionId" => part(draft, strategy, place, "percentage", "sessionId"),
        "gradualRolloutRandom" => part(draft, strategy, place, "percentage", "random"),
        "flexibleRollout" => {
            let stickiness = strategy.parameter("stickiness").unwrap_or_default();
            part(draft, strategy, place, "rollout", &stickiness)
        }
        name => Err(format!("the strategy {name} has no counterpart")),
    }
}

fn list(strategy: &Strategy, parameter: &str) -> Vec<String> {
    let listed = strategy.parameter(parameter).unwrap_or_default();
    let entries = listed.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    entries.map(str::to_owned).collect()
}

fn part(
    draft: &mut Draft,
    strategy: &Strategy,
    place: &SourcePointer,
    parameter: &str,
    stickiness: &str,
) -> AudienceResult {
    let written = strategy.parameter(parameter).unwrap_or_default();
    // Unleash draws whole numbers from 1 to 100, so a fraction selects no further user.
    let percent = written.parse().ok().and_then(|share: f64| percent(share.floor()));
    let percent = percent.ok_or_else(|| format!("{written:?} is not a percentage"))?;
    match percent.thousandths() {
        0 => return Ok(None),
        100_000 if stickiness == "random" => {
            return Ok(Some(Audience::default()));
        }
        _ if stickiness == "random" => {
            return Err("a random selection at each request is not supported".to_owned());
        }
        _ => {}
    }
    let by = Stickiness::named(stickiness);
    let conditions = match &by {
        Stickiness::Default if percent.thousandths() < 100_000 => {
            draft.leave_out(place, "users without userId and sessionId are not selected, but Unleash selects them at random");
            Vec::new()
        }
        Stickiness::Default => Vec::new(),
        Stickiness::Attribute(name) => {
            if let Some(reason) = constraint::only_in_sdks(name) {
                return Err(reason.to_owned());
            }
            draft.attributes.drawn_by(name)?;
            let mut conditions = vec![exists(name)];
            // Unleash draws by no empty text, also at 100 %, which needs no draw here.
            if percent == Percent::HUNDRED
                && draft.attributes.need(name, AttributeType::String).is_ok()
            {
                conditions.push(not(is_in(name, &[String::new()])));
            }
            conditions
        }
    };
    let drawn = Some(Drawn { percent, by });
    Ok(Some(Audience { conditions, drawn, ..Audience::default() }))
}

/// Returns the attributes to draw by, each with the conditions for its users.
pub(super) fn draws(draft: &mut Draft, by: &Stickiness) -> Vec<(String, Vec<Condition>)> {
    match by {
        Stickiness::Attribute(name) => vec![(name.clone(), Vec::new())],
        Stickiness::Default => {
            draft.attributes.mention("sessionId");
            vec![
                ("userId".to_owned(), vec![exists("userId")]),
                ("sessionId".to_owned(), vec![not(exists("userId")), exists("sessionId")]),
            ]
        }
    }
}
