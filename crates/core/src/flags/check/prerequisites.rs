//! Checks of prerequisites: chains have no cycle and are not too long.

use super::Check;
use crate::flags::pointer::Pointer;

/// Maximum length of a chain of prerequisites.
const DEPTH_MAX: u32 = 8;
/// Maximum number of evaluations that one flag may cause, including all of its prerequisites.
const COST_MAX: u64 = 1_000;

#[derive(Debug, Clone, Copy)]
struct Chain {
    /// 0 for a flag without prerequisites.
    depth: u32,
    cost: u64,
    is_endless: bool,
}

impl Check<'_> {
    pub(super) fn prerequisites(&mut self, list: &Pointer<'_>) {
        let document = self.document;
        let mut chains = vec![None; document.flags.len()];
        for (index, flag) in document.flags.iter().enumerate() {
            let item = list.index(index);
            let place = item.name("prerequisites");
            for (index, prerequisite) in flag.prerequisites.iter().enumerate() {
                let item = place.index(index);
                let Some(&other) = self.flags.get(prerequisite.flag.as_str()) else {
                    let detail = format!("There is no flag named {:?}.", prerequisite.flag);
                    self.report(&item.name("flag"), "unknown_flag", detail);
                    continue;
                };
                let variations = item.name("in");
                if prerequisite.r#in.is_empty() {
                    let detail = "Without a variation, the prerequisite is never met.";
                    self.report(&variations, "empty", detail);
                }
                for (index, key) in prerequisite.r#in.iter().enumerate() {
                    self.variation(&document.flags[other], key, &variations.index(index));
                }
            }
            let chain = self.chain(index, &mut chains);
            if flag.prerequisites.is_empty() {
                continue;
            }
            if chain.is_endless {
                let detail = "The flag depends on itself, or on a flag that depends on itself.";
                self.report(&place, "prerequisite_cycle", detail);
            } else if chain.depth > DEPTH_MAX {
                let detail =
                    format!("The chain of prerequisites is longer than {DEPTH_MAX} flags.");
                self.report(&place, "too_deep", detail);
            } else if chain.cost > COST_MAX {
                let detail =
                    format!("Evaluating this flag would evaluate more than {COST_MAX} flags.");
                self.report(&place, "too_many", detail);
            }
        }
    }

    /// Measures the chain of prerequisites of a flag. It uses a list instead of recursion, so that
    /// a long chain does not overflow the stack.
    fn chain(&self, flag: usize, chains: &mut [Option<Chain>]) -> Chain {
        // Flags on the current path, each with the index of its next prerequisite.
        let mut path = vec![(flag, 0)];
        while let Some((flag, next)) = path.last_mut() {
            let (flag, at) = (*flag, *next);
            *next += 1;
            if chains[flag].is_none() {
                // Reaching a flag that is still being visited is a cycle.
                chains[flag] = Some(Chain { depth: 0, cost: 1, is_endless: true });
            } else if at == 0 {
                path.pop();
                continue;
            }
            let prerequisites = &self.document.flags[flag].prerequisites;
            if let Some(prerequisite) = prerequisites.get(at) {
                if let Some(&other) = self.flags.get(prerequisite.flag.as_str())
                    && chains[other].is_none()
                {
                    path.push((other, 0));
                }
                continue;
            }
            let others = prerequisites
                .iter()
                .filter_map(|prerequisite| self.flags.get(prerequisite.flag.as_str()));
            let mut chain = Chain { depth: 0, cost: 1, is_endless: false };
            for &other in others {
                let Some(other) = chains[other] else { continue };
                chain.depth = chain.depth.max(other.depth + 1);
                chain.cost = chain.cost.saturating_add(other.cost);
                chain.is_endless |= other.is_endless;
            }
            chains[flag] = Some(chain);
            path.pop();
        }
        chains[flag].unwrap_or(Chain { depth: 0, cost: 1, is_endless: true })
    }
}
