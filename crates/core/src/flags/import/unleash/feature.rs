//! A feature of Unleash as a flag.

use super::constraint::{is_in, only_in_sdks};
use super::input::{Feature, Strategy, Variant};
use super::strategy::{Audience, Stickiness, audience, draws};
use super::variants::{Answers, answers};
use crate::flags::document::{AttributeType, Condition, Experiment, Flag, Rule, Serve};
use crate::flags::import::draft::{self, Draft, experiment, not};
use crate::flags::import::report::SourcePointer;
use crate::flags::import::weights::shares;

pub(super) fn translate(draft: &mut Draft, feature: &Feature, place: &SourcePointer) {
    let answers = answers(draft, feature, place);
    let mut flag =
        draft::flag(&feature.name, answers.r#type, answers.variations.clone(), &answers.disabled);
    flag.description.clone_from(&feature.description);
    flag.on = feature.enabled;
    flag.tags.extend(feature.project.clone());
    if feature.impression_data {
        draft.leave_out(
            &place.at("impressionData"),
            "participation is reported for experiments only",
        );
    }
    if feature.strategies.is_empty() {
        let everybody = Audience { conditions: Vec::new(), drawn: None };
        let mut made = Making { draft, flag: &mut flag, answers: &answers, place };
        made.rules(&everybody, &feature.variants, &Stickiness::Default, "everybody");
    }
    let left_out_before = draft.left_out.len();
    for (i, strategy) in feature.strategies.iter().enumerate() {
        let place = place.at("strategies").at(i);
        let Some(audience) = audience(draft, strategy, &place) else { continue };
        let variants =
            if strategy.variants.is_empty() { &feature.variants } else { &strategy.variants };
        let mut made = Making { draft, flag: &mut flag, answers: &answers, place: &place };
        made.rules(&audience, variants, &stickiness(strategy, variants), &format!("s{}", i + 1));
    }
    if draft.left_out.len() > left_out_before {
        draft.incomplete.insert(feature.name.clone());
    }
    draft.flags.push(flag);
}

/// Variants of a strategy are drawn as the strategy draws, unless they say otherwise.
fn stickiness(strategy: &Strategy, variants: &[Variant]) -> Stickiness {
    let said = variants.first().and_then(|variant| variant.stickiness.clone());
    let inherited = || {
        let own = !strategy.variants.is_empty();
        own.then(|| strategy.parameter("stickiness")).flatten().unwrap_or_default()
    };
    Stickiness::named(&said.unwrap_or_else(inherited))
}

struct Making<'a> {
    draft: &'a mut Draft,
    flag: &'a mut Flag,
    answers: &'a Answers,
    place: &'a SourcePointer,
}

impl Making<'_> {
    fn rules(&mut self, audience: &Audience, variants: &[Variant], by: &Stickiness, id: &str) {
        let mut conditions = audience.conditions.clone();
        for (i, variant) in variants.iter().enumerate() {
            for (j, r#override) in variant.overrides.iter().enumerate() {
                let place = self.place.at("variants").at(i).at("overrides").at(j);
                let name = r#override.context_name.as_str();
                let chosen = match self.chosen(name, &r#override.values) {
                    Ok(chosen) => chosen,
                    Err(reason) => {
                        self.draft.leave_out(&place, reason);
                        continue;
                    }
                };
                let mut when = conditions.clone();
                when.push(chosen.clone());
                self.one_answer(when, audience, &variant.name, &format!("{id}-o{i}-{j}"));
                // A person selected once must not be selected again for the other variants.
                conditions.push(not(chosen));
            }
        }
        let weighed: Vec<&Variant> =
            variants.iter().filter(|variant| variant.weight > 0.0).collect();
        match weighed[..] {
            [] => self.one_answer(conditions, audience, &self.answers.enabled.clone(), id),
            [only] => self.one_answer(conditions, audience, &only.name, id),
            _ => self.test(conditions, audience, &weighed, by, id),
        }
    }

    /// The condition of a variant's override.
    fn chosen(&mut self, name: &str, values: &[String]) -> Result<Condition, String> {
        if name == "environment" {
            let is_listed = values.contains(&self.draft.environment);
            let none = Vec::new();
            return Ok(if is_listed { Condition::All(none) } else { Condition::Any(none) });
        }
        if let Some(reason) = only_in_sdks(name) {
            return Err(reason.to_owned());
        }
        self.draft.attributes.need(name, AttributeType::String)?;
        Ok(is_in(name, values))
    }

    fn one_answer(
        &mut self,
        conditions: Vec<Condition>,
        audience: &Audience,
        variation: &str,
        id: &str,
    ) {
        let Some(drawn) = &audience.drawn else {
            return self.rule(conditions, Serve::Variation(variation.to_owned()), id.to_owned());
        };
        for (unit, whom) in draws(self.draft, &drawn.by) {
            let when = conditions.iter().cloned().chain(whom).collect();
            let serve = draft::rollout(&unit, drawn.percent, variation);
            self.rule(when, serve, format!("{id}-{unit}"));
        }
    }

    fn test(
        &mut self,
        conditions: Vec<Condition>,
        audience: &Audience,
        variants: &[&Variant],
        by: &Stickiness,
        id: &str,
    ) {
        let weights: Vec<(String, f64)> =
            variants.iter().map(|variant| (variant.name.clone(), variant.weight)).collect();
        let Some(weights) = shares(&weights) else {
            self.draft.leave_out(&self.place.at("variants"), "the weights are no weights");
            return;
        };
        if *by == Stickiness::Attribute("random".to_owned()) {
            let reason = "people are never drawn at random at each request";
            self.draft.leave_out(&self.place.at("variants"), reason);
            return;
        }
        if audience.drawn.as_ref().is_some_and(|drawn| drawn.by != *by) {
            let reason = "who takes part is drawn by the attribute that the variants are drawn by";
            self.draft.leave_out(&self.place.at("variants"), reason);
        }
        if let Stickiness::Attribute(name) = by
            && let Err(reason) = self.draft.attributes.drawn_by(name)
        {
            return self.draft.leave_out(&self.place.at("variants"), reason);
        }
        let made = Experiment {
            coverage: audience.drawn.as_ref().map_or(100_000, |drawn| drawn.percent.thousandths()),
            weights,
            ..self.drawn_by(by, id)
        };
        self.rule(conditions.clone(), Serve::Experiment(made), id.to_owned());
        if audience.drawn.is_none() {
            // The feature is enabled for those, too, who lack what the variants are drawn by; to
            // them Unleash gives one at random.
            let enabled = Serve::Variation(self.answers.enabled.clone());
            self.rule(conditions, enabled, format!("{id}-undrawn"));
        }
    }

    fn drawn_by(&mut self, by: &Stickiness, id: &str) -> Experiment {
        let key = format!("{}.{id}", self.flag.key);
        match by {
            Stickiness::Attribute(name) => experiment(&key, name),
            Stickiness::Default => {
                self.draft.attributes.mention("sessionId");
                Experiment {
                    fallback_unit: Some("sessionId".to_owned()),
                    ..experiment(&key, "userId")
                }
            }
        }
    }

    fn rule(&mut self, conditions: Vec<Condition>, serve: Serve, id: String) {
        self.flag.rules.push(Rule { id, name: None, when: Condition::All(conditions), serve });
    }
}
