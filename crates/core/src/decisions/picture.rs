//! The picture of the table in the guide.

use super::Status;
use super::table::{Actor, TRANSITIONS};

const CONTESTED: &[Status] =
    &[Status::Evaluated, Status::NoShow, Status::Accepted, Status::Rejected];

fn name(actor: Actor) -> &'static str {
    match actor {
        Actor::Dispatcher => "dispatcher",
        Actor::Reviewer => "reviewer",
        Actor::Rider => "rider",
        Actor::Opener => "opener",
        Actor::Program => "program",
    }
}

/// Returns the lines of a Mermaid diagram: one arrow for each pair of statuses, with all who may make
/// the transition.
fn diagram() -> Vec<String> {
    let mut arrows: Vec<(String, Vec<&str>)> = Vec::new();
    for row in TRANSITIONS {
        let from: Vec<&str> = match row.from {
            [] => vec!["[*]"],
            from => from.iter().map(|status| status.as_str()).collect(),
        };
        let to = if row.to.is_empty() { CONTESTED } else { row.to };
        for (from, to) in from.iter().flat_map(|from| to.iter().map(move |to| (from, to))) {
            let arrow = format!("{from} --> {}", to.as_str());
            let place = arrows.iter().position(|(known, _)| *known == arrow);
            let place = place.unwrap_or_else(|| {
                arrows.push((arrow, Vec::new()));
                arrows.len() - 1
            });
            let actors = &mut arrows[place].1;
            actors.extend(row.by.iter().map(|actor| name(*actor)));
        }
    }
    let line = |(arrow, actors): (String, Vec<&str>)| format!("    {arrow}: {}", actors.join(", "));
    arrows.into_iter().map(line).collect()
}

#[test]
fn the_guide_has_the_picture_of_the_table() {
    let guide = include_str!("../../../../docs/decisions.md");
    let (_, picture) = guide.split_once("stateDiagram-v2\n").expect("a picture");
    let lines: Vec<&str> = picture.lines().take_while(|line| *line != "```").collect();
    let expected = diagram();
    assert_eq!(lines, expected, "the picture is\n{}", expected.join("\n"));
}
