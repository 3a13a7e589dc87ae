//! Checks of metrics: bounds leave room for values, ratios have a denominator, and roles name
//! declared metrics.

use super::Check;
use crate::flags::document::{Metric, MetricKind, MetricRoles};
use crate::flags::pointer::Pointer;

const METRICS_MAX: usize = 1_000;
/// Maximum number of guardrail metrics, and of secondary metrics.
const ROLE_MAX: usize = 50;

impl Check<'_> {
    pub(super) fn metrics(&mut self) {
        let list = Pointer::DOCUMENT.name("metrics");
        let metrics = &self.document.metrics;
        self.at_most(metrics.len(), METRICS_MAX, &list);
        self.keys(metrics.iter().map(|metric| metric.key.as_str()), &list, "key");
        for (index, metric) in metrics.iter().enumerate() {
            self.metric(metric, &list.index(index));
        }
    }

    fn metric(&mut self, metric: &Metric, place: &Pointer<'_>) {
        if let (Some(min), Some(max)) = (metric.min, metric.max)
            && min > max
        {
            let detail = "The maximum must not be less than the minimum.";
            self.report(&place.name("max"), "out_of_range", detail);
        }
        if metric.cap.is_some_and(|cap| cap.get() <= 0.0) {
            let detail = "The cap must be greater than 0.";
            self.report(&place.name("cap"), "out_of_range", detail);
        }
        let place = place.name("denominator");
        match (metric.kind, &metric.denominator) {
            (MetricKind::Ratio, None) => {
                let detail = "A ratio needs a denominator: the metric to divide by.";
                self.report(&place, "required", detail);
            }
            (MetricKind::Ratio, Some(key)) => {
                self.check_declared(key, &place);
                let divides_itself = self.metrics.get(key.as_str()) == Some(&MetricKind::Ratio);
                if divides_itself {
                    let detail = format!("{key:?} is itself a ratio and cannot be a denominator.");
                    self.report(&place, "bad_denominator", detail);
                }
            }
            (_, Some(_)) => {
                self.report(&place, "bad_denominator", "Only a ratio may have a denominator.");
            }
            (_, None) => {}
        }
    }

    /// Checks the metrics of an experiment or a holdout.
    pub(super) fn roles(&mut self, roles: &MetricRoles, place: &Pointer<'_>) {
        let mut used: Vec<&str> = Vec::new();
        if let Some(goal) = &roles.goal {
            self.check_declared(goal, &place.name("goal"));
            used.push(goal);
        }
        for (member, keys) in [("guardrails", &roles.guardrails), ("secondary", &roles.secondary)] {
            let list = place.name(member);
            self.at_most(keys.len(), ROLE_MAX, &list);
            for (index, key) in keys.iter().enumerate().take(ROLE_MAX) {
                self.check_declared(key, &list.index(index));
                if used.contains(&key.as_str()) {
                    let detail = format!("{key:?} already has a role here.");
                    self.report(&list.index(index), "duplicate_key", detail);
                }
                used.push(key);
            }
        }
    }

    fn check_declared(&mut self, metric: &str, place: &Pointer<'_>) {
        if !self.metrics.contains_key(metric) {
            let detail = format!("There is no metric named {metric:?}.");
            self.report(place, "unknown_metric", detail);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::flags::Document;

    const COMPLETE: &str = include_str!("../schema/complete.json");

    fn errors(part: &str, replacement: &str) -> Vec<(String, &'static str)> {
        assert_eq!(COMPLETE.matches(part).count(), 1, "{part} should be there once");
        let errors = Document::parse(&COMPLETE.replacen(part, replacement, 1)).err();
        errors.into_iter().flatten().map(|error| (error.pointer, error.code)).collect()
    }

    #[test]
    fn each_error_has_its_pointer() {
        let experiment = |member| format!("/flags/0/rules/1/serve/experiment/{member}");
        let conversion = r#""kind": "conversion""#;
        for (part, replacement, pointer, code) in [
            (r#""key": "pay""#, r#""key": "orders""#, "/metrics/2/key".into(), "duplicate_key"),
            (r#""max": 200"#, r#""max": -1"#, "/metrics/0/max".into(), "out_of_range"),
            (r#""max": 200"#, r#""max": "1""#, "/metrics/0/max".into(), "wrong_type"),
            (r#""cap": 90.5"#, r#""cap": 0"#, "/metrics/0/cap".into(), "out_of_range"),
            (conversion, r#""kind": "median""#, "/metrics/1/kind".into(), "unknown_kind"),
            (
                r#""direction": "decrease""#,
                r#""direction": "down""#,
                "/metrics/1/direction".into(),
                "unknown_direction",
            ),
            (r#", "denominator": "orders""#, "", "/metrics/2/denominator".into(), "required"),
            (
                r#""denominator": "orders""#,
                r#""denominator": "order""#,
                "/metrics/2/denominator".into(),
                "unknown_metric",
            ),
            (
                r#""denominator": "orders""#,
                r#""denominator": "pay""#,
                "/metrics/2/denominator".into(),
                "bad_denominator",
            ),
            (
                conversion,
                r#""kind": "conversion", "denominator": "orders""#,
                "/metrics/1/denominator".into(),
                "bad_denominator",
            ),
            (r#""goal": "late""#, r#""goal": "lat""#, experiment("goal"), "unknown_metric"),
            (
                r#""goal": "late", "guardrails": ["orders"]"#,
                r#""goal": "late", "guardrails": ["orders", "x"]"#,
                experiment("guardrails/1"),
                "unknown_metric",
            ),
            (
                r#""goal": "late", "guardrails": ["orders"]"#,
                r#""goal": "late", "guardrails": ["late"]"#,
                experiment("guardrails/0"),
                "duplicate_key",
            ),
            (
                r#""minimumEffect": 0.05"#,
                r#""minimumEffect": 0"#,
                experiment("minimumEffect"),
                "out_of_range",
            ),
            (
                r#""guardrails": ["late"], "secondary": ["pay"]"#,
                r#""guardrails": ["late"], "secondary": ["p"]"#,
                "/holdouts/0/secondary/0".into(),
                "unknown_metric",
            ),
            (
                r#""clientMetrics": true"#,
                r#""clientMetrics": 1"#,
                "/clientMetrics".into(),
                "wrong_type",
            ),
        ] {
            // References to the renamed metric cause further errors. Only the first is compared.
            let first = errors(part, replacement).into_iter().next();
            assert_eq!(first, Some((pointer, code)), "{part} -> {replacement}");
        }
    }

    #[test]
    fn does_not_write_metrics_of_a_document_without_metrics() {
        let text = Document::new("production").to_json();
        assert!(!text.contains("etrics"), "{text}");
        let named = r#"{"schema":"musette.flags/1","environment":"e","metrics":[{"key":"m"}]}"#;
        let document = Document::parse(named).expect("valid");
        let again = Document::parse(&document.to_json()).expect("valid");
        assert_eq!(again, document);
        assert!(again.to_json().contains(r#""direction": "increase""#));
    }

    #[test]
    fn writes_numbers_as_they_were_read() {
        for (read, written) in [("0", "0"), ("-3", "-3"), ("0.25", "0.25"), ("5.0", "5")] {
            let text = format!(
                r#"{{"schema":"musette.flags/1","environment":"e","metrics":[{{"key":"m","min":{read}}}]}}"#
            );
            let document = Document::parse(&text).expect("valid");
            let expected = format!("\"min\": {written}\n");
            assert!(document.to_json().contains(&expected), "{read}: {}", document.to_json());
        }
    }
}
