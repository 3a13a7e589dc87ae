//! Rules of approval that demand less than those before.

use std::collections::BTreeSet;

use super::ApprovalRule;

/// A rule that a new list of rules weakens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeakenedRule {
    /// `terms` or `flags`.
    pub kind: String,
    /// A type of terms, an environment, or `*` for all that have no rule of their own.
    pub scope: String,
    /// The approvals that the former rules demand.
    pub needed: i64,
}

/// The approvals that the most precise rule demands; 0 without one.
fn demanded(rules: &[ApprovalRule], kind: &str, scope: &str) -> i64 {
    let rule = |scope: &str| rules.iter().find(|rule| rule.kind == kind && rule.scope == scope);
    rule(scope).or_else(|| rule("*")).map_or(0, |rule| rule.approvals)
}

/// Each subject and scope that needs fewer approvals by `new` than by `old`.
pub fn weakened(old: &[ApprovalRule], new: &[ApprovalRule]) -> Vec<WeakenedRule> {
    let scopes: BTreeSet<(&str, &str)> = old
        .iter()
        .chain(new)
        .flat_map(|rule| [(rule.kind.as_str(), rule.scope.as_str()), (rule.kind.as_str(), "*")])
        .collect();
    let weakened = scopes.into_iter().filter_map(|(kind, scope)| {
        let needed = demanded(old, kind, scope);
        (demanded(new, kind, scope) < needed).then(|| WeakenedRule {
            kind: kind.to_owned(),
            scope: scope.to_owned(),
            needed,
        })
    });
    weakened.collect()
}

#[cfg(test)]
mod tests {
    use super::super::ApprovalRule;
    use super::weakened;

    /// Subject, scope and approvals.
    type Rules = &'static [(&'static str, &'static str, i64)];

    /// Rules before and after, and what is weaker.
    type Case = (Rules, Rules, &'static [(&'static str, i64)]);

    fn rules(text: Rules) -> Vec<ApprovalRule> {
        let rule = |(kind, scope, approvals): &(&str, &str, i64)| ApprovalRule {
            kind: (*kind).into(),
            scope: (*scope).into(),
            approvals: *approvals,
        };
        text.iter().map(rule).collect()
    }

    #[test]
    fn only_fewer_approvals_are_weaker() {
        let cases: &[Case] = &[
            (&[], &[("terms", "*", 1)], &[]),
            (&[("terms", "*", 1)], &[("terms", "*", 2)], &[]),
            (&[("terms", "*", 1)], &[], &[("*", 1)]),
            (&[("terms", "*", 2)], &[("terms", "*", 1)], &[("*", 2)]),
            // A rule of its own that demands less than the one for all.
            (&[("terms", "*", 2)], &[("terms", "*", 2), ("terms", "A", 0)], &[("A", 2)]),
            // It demanded more than the one for all.
            (&[("terms", "*", 1), ("terms", "A", 3)], &[("terms", "*", 1)], &[("A", 3)]),
            // It demanded less: removing it demands more.
            (&[("terms", "*", 2), ("terms", "A", 1)], &[("terms", "*", 2)], &[]),
            // The rule of its own stays.
            (&[("terms", "*", 2), ("terms", "A", 1)], &[("terms", "A", 1)], &[("*", 2)]),
            (&[("terms", "*", 1)], &[("flags", "*", 1)], &[("*", 1)]),
        ];
        for (old, new, expected) in cases {
            let weaker = weakened(&rules(old), &rules(new));
            let weaker: Vec<_> = weaker.iter().map(|it| (it.scope.as_str(), it.needed)).collect();
            assert_eq!(&weaker, expected, "{old:?} {new:?}");
        }
    }
}
