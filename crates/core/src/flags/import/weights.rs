use std::collections::BTreeMap;

/// Sum of all weights of an experiment.
const WHOLE: u32 = 100_000;

/// Converts weights of any unit into shares of 100,000. The remainder of the rounding goes to the
/// weights that lost most. Returns `None` if the weights add up to 0 or are not valid.
pub(super) fn shares(weights: &[(String, f64)]) -> Option<BTreeMap<String, u32>> {
    let are_valid = weights.iter().all(|(_, weight)| weight.is_finite() && *weight >= 0.0);
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    if !are_valid || sum <= 0.0 || !sum.is_finite() {
        return None;
    }
    let exact = |weight: f64| weight / sum * f64::from(WHOLE);
    let mut shares: BTreeMap<String, u32> = BTreeMap::new();
    for (key, weight) in weights {
        *shares.entry(key.clone()).or_default() += exact(*weight) as u32;
    }
    let mut by_loss: Vec<&(String, f64)> = weights.iter().collect();
    by_loss.sort_by(|(_, a), (_, b)| exact(*b).fract().total_cmp(&exact(*a).fract()));
    let missing = WHOLE.saturating_sub(shares.values().sum());
    for (key, _) in by_loss.into_iter().cycle().take(missing as usize) {
        *shares.entry(key.clone()).or_default() += 1;
    }
    Some(shares)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use super::{WHOLE, shares};

    fn named(weights: &[f64]) -> Vec<(String, f64)> {
        weights.iter().enumerate().map(|(i, weight)| (format!("v{i}"), *weight)).collect()
    }

    #[test]
    fn thirds_add_up_to_the_whole() {
        let shares = shares(&named(&[33.0, 33.0, 33.0])).expect("shares");
        assert_eq!(shares.into_values().collect::<Vec<_>>(), [33_334, 33_333, 33_333]);
    }

    #[test]
    fn rejects_invalid_weights() {
        for weights in [&[][..], &[0.0], &[-1.0, 2.0], &[f64::NAN], &[f64::INFINITY, 1.0]] {
            assert_eq!(shares(&named(weights)), None, "{weights:?}");
        }
    }

    proptest! {
        #[test]
        fn shares_always_add_up_to_the_whole(weights in prop::collection::vec(any::<u32>(), 1..20)) {
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            if let Some(shares) = shares(&named(&weights)) {
                assert_eq!(shares.values().sum::<u32>(), WHOLE);
            }
        }
    }
}
