//! Compares approval rules and finds those that require fewer approvals than before.

use std::collections::BTreeSet;

use super::ApprovalRule;

/// A rule that a new list of rules weakens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeakenedRule {
    /// `terms` or `flags`.
    pub kind: String,
    /// A type of terms, an environment, or `*` for all without a specific rule.
    pub scope: String,
    /// The approvals that the former rules require.
    pub needed: i64,
}

/// Returns how many approvals the most specific rule requires; 0 without a rule.
fn required_approvals(rules: &[ApprovalRule], kind: &str, scope: &str) -> i64 {
    let rule = |scope: &str| rules.iter().find(|rule| rule.kind == kind && rule.scope == scope);
    rule(scope).or_else(|| rule("*")).map_or(0, |rule| rule.approvals)
}

/// Returns each subject and scope that needs fewer approvals by `new` than by `old`.
pub fn weakened(old: &[ApprovalRule], new: &[ApprovalRule]) -> Vec<WeakenedRule> {
    let scopes: BTreeSet<(&str, &str)> = old
        .iter()
        .chain(new)
        .flat_map(|rule| [(rule.kind.as_str(), rule.scope.as_str()), (rule.kind.as_str(), "*")])
        .collect();
    let weakened = scopes.into_iter().filter_map(|(kind, scope)| {
        let needed = required_approvals(old, kind, scope);
        (required_approvals(new, kind, scope) < needed).then(|| WeakenedRule {
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

    /// Rules before and after, and the weakened rules.
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
            // A specific rule that requires less than the general one.
            (&[("terms", "*", 2)], &[("terms", "*", 2), ("terms", "A", 0)], &[("A", 2)]),
            // The removed rule required more than the general one.
            (&[("terms", "*", 1), ("terms", "A", 3)], &[("terms", "*", 1)], &[("A", 3)]),
            // The removed rule required less, so removing it requires more.
            (&[("terms", "*", 2), ("terms", "A", 1)], &[("terms", "*", 2)], &[]),
            // The specific rule stays.
            (&[("terms", "*", 2), ("terms", "A", 1)], &[("terms", "A", 1)], &[("*", 2)]),
            (&[("terms", "*", 1)], &[("flags", "*", 1)], &[("*", 1)]),
        ];
        for (old, new, expected) in cases {
            let weaker = weakened(&rules(old), &rules(new));
            let weaker: Vec<_> =
                weaker.iter().map(|rule| (rule.scope.as_str(), rule.needed)).collect();
            assert_eq!(&weaker, expected, "{old:?} {new:?}");
        }
    }
}
