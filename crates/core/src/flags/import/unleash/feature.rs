//! Converts a feature of Unleash into a flag.

use super::constraint::{is_in, only_in_sdks};
use super::input::{Feature, Segment, Strategy, Variant};
use super::strategy::{Audience, Stickiness, audience, draws};
use super::variants::{FeatureVariations, feature_variations};
use crate::flags::document::{AttributeType, Condition, Experiment, Flag, Rule, Serve};
use crate::flags::import::draft::{self, Draft, experiment, not};
use crate::flags::import::report::SourcePointer;
use crate::flags::import::weights::shares;

pub(super) fn translate(
    draft: &mut Draft,
    feature: &Feature,
    segments: &[Segment],
    place: &SourcePointer,
) {
    let variations = feature_variations(draft, feature, place);
    let mut flag = draft::flag(
        &feature.name,
        variations.r#type,
        variations.variations.clone(),
        &variations.disabled,
    );
    flag.description.clone_from(&feature.description);
    flag.on = feature.enabled;
    flag.tags.extend(feature.project.clone());
    if feature.impression_data {
        draft.leave_out(
            &place.at("impressionData"),
            "participation is reported only for experiments",
        );
    }
    let left_out_before = draft.left_out.len();
    if feature.strategies.is_empty() {
        let everyone = Audience::default();
        let mut converter =
            RuleConverter { draft, flag: &mut flag, variations: &variations, place };
        converter.rules(&everyone, &feature.variants, &Stickiness::Default, "everybody");
    }
    for (i, strategy) in feature.strategies.iter().enumerate() {
        let place = place.at("strategies").at(i);
        let Some(audience) = audience(draft, strategy, segments, &place) else { continue };
        // Unleash falls back to the variants of the feature if the strategy selects none.
        let has_own = strategy.variants.iter().any(|variant| variant.weight > 0.0);
        let variants = if has_own { &strategy.variants } else { &feature.variants };
        let mut converter =
            RuleConverter { draft, flag: &mut flag, variations: &variations, place: &place };
        converter.rules(
            &audience,
            variants,
            &stickiness(strategy, variants, has_own),
            &format!("s{}", i + 1),
        );
    }
    if draft.left_out.len() > left_out_before {
        draft.incomplete.insert(feature.name.clone());
    }
    draft.flags.push(flag);
}

/// Returns the stickiness of variants. Variants of a strategy inherit it from the strategy if they
/// have none.
fn stickiness(strategy: &Strategy, variants: &[Variant], has_own: bool) -> Stickiness {
    let own_stickiness = variants.first().and_then(|variant| variant.stickiness.clone());
    let inherited =
        || has_own.then(|| strategy.parameter("stickiness")).flatten().unwrap_or_default();
    Stickiness::named(&own_stickiness.unwrap_or_else(inherited))
}

struct RuleConverter<'a> {
    draft: &'a mut Draft,
    flag: &'a mut Flag,
    variations: &'a FeatureVariations,
    place: &'a SourcePointer,
}

impl RuleConverter<'_> {
    fn rules(&mut self, audience: &Audience, variants: &[Variant], by: &Stickiness, id: &str) {
        let mut conditions = audience.conditions.clone();
        let weighted: Vec<&Variant> =
            variants.iter().filter(|variant| variant.weight > 0.0).collect();
        // Unleash ignores overrides if all weights are 0.
        let overridden = if weighted.is_empty() { &[] } else { variants };
        for (i, variant) in overridden.iter().enumerate() {
            for (j, r#override) in variant.overrides.iter().enumerate() {
                let place = self.place.at("variants").at(i).at("overrides").at(j);
                let name = r#override.context_name.as_str();
                let condition = match self.override_condition(name, &r#override.values) {
                    Ok(condition) => condition,
                    Err(reason) => {
                        self.draft.leave_out(&place, reason);
                        continue;
                    }
                };
                let mut when = conditions.clone();
                when.push(condition.clone());
                self.add_variation_rule(when, audience, &variant.name, &format!("{id}-o{i}-{j}"));
                // A user who matches one override must not match those of other variants.
                conditions.push(not(condition));
            }
        }
        match weighted[..] {
            [] => {
                self.add_variation_rule(conditions, audience, &self.variations.enabled.clone(), id);
            }
            [only] => self.add_variation_rule(conditions, audience, &only.name, id),
            _ => self.add_experiment_rule(conditions, audience, &weighted, by, id),
        }
    }

    /// Converts the override of a variant into a condition.
    fn override_condition(&mut self, name: &str, values: &[String]) -> Result<Condition, String> {
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

    fn add_variation_rule(
        &mut self,
        conditions: Vec<Condition>,
        audience: &Audience,
        variation: &str,
        id: &str,
    ) {
        let Some(drawn) = &audience.drawn else {
            return self.rule(conditions, Serve::Variation(variation.to_owned()), id.to_owned());
        };
        for (unit, conditions_of_unit) in draws(self.draft, &drawn.by) {
            let when = conditions.iter().cloned().chain(conditions_of_unit).collect();
            let steps = audience.window.steps(drawn.percent);
            let serve = draft::rollout(&unit, steps, variation);
            self.rule(when, serve, format!("{id}-{unit}"));
        }
    }

    fn add_experiment_rule(
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
            self.draft.leave_out(&self.place.at("variants"), "the weights are not valid");
            return;
        };
        if !audience.window.is_always() {
            let reason = "an experiment cannot start or end at a given time: schedule a change";
            self.draft.leave_out(&self.place.at("variants"), reason);
            return;
        }
        if *by == Stickiness::Attribute("random".to_owned()) {
            let reason = "a random selection at each request is not supported";
            self.draft.leave_out(&self.place.at("variants"), reason);
            return;
        }
        if audience.drawn.as_ref().is_some_and(|drawn| drawn.by != *by) {
            let reason = "the attribute of the variants is used to select participants too";
            self.draft.leave_out(&self.place.at("variants"), reason);
        }
        if let Stickiness::Attribute(name) = by
            && let Err(reason) = self.draft.attributes.drawn_by(name)
        {
            return self.draft.leave_out(&self.place.at("variants"), reason);
        }
        let new_experiment = Experiment {
            coverage: audience.drawn.as_ref().map_or(100_000, |drawn| drawn.percent.thousandths()),
            weights,
            ..self.drawn_by(by, id)
        };
        self.rule(conditions.clone(), Serve::Experiment(new_experiment), id.to_owned());
        if audience.drawn.is_none() {
            // The feature is also enabled for users without the attribute that variants are drawn
            // by. Unleash serves them a random variant.
            let without = match by {
                Stickiness::Default => "userId and sessionId",
                Stickiness::Attribute(name) => name,
            };
            let reason = format!(
                "users without {without} get no variant, but Unleash selects one at random"
            );
            self.draft.leave_out(&self.place.at("variants"), reason);
            let enabled = Serve::Variation(self.variations.enabled.clone());
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
