//! Prerequisites: they end somewhere, and soon.

use super::Check;
use crate::flags::pointer::Pointer;

/// Flags that stand behind one another.
const DEPTH_MAX: u32 = 8;
/// Evaluations that one flag may cause, with all that stand behind it.
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
            for (index, it) in flag.prerequisites.iter().enumerate() {
                let item = place.index(index);
                let Some(&other) = self.flags.get(it.flag.as_str()) else {
                    let detail = format!("No flag is called {:?}.", it.flag);
                    self.fault(&item.name("flag"), "unknown_flag", detail);
                    continue;
                };
                let variations = item.name("in");
                if it.r#in.is_empty() {
                    let detail = "Without a variation it is never fulfilled.";
                    self.fault(&variations, "empty", detail);
                }
                for (index, key) in it.r#in.iter().enumerate() {
                    self.variation(&document.flags[other], key, &variations.index(index));
                }
            }
            let chain = self.chain(index, &mut chains);
            if flag.prerequisites.is_empty() {
                continue;
            }
            if chain.is_endless {
                let detail = "The flag stands behind itself, or behind one that does.";
                self.fault(&place, "prerequisite_cycle", detail);
            } else if chain.depth > DEPTH_MAX {
                let detail = format!("More than {DEPTH_MAX} flags stand behind one another.");
                self.fault(&place, "too_deep", detail);
            } else if chain.cost > COST_MAX {
                let detail = format!("More than {COST_MAX} flags would be asked for this one.");
                self.fault(&place, "too_many", detail);
            }
        }
    }

    /// The stack does not grow with the chain beyond what is allowed anyway: whoever is deeper is
    /// refused, and need not be measured exactly.
    fn chain(&self, flag: usize, chains: &mut [Option<Chain>]) -> Chain {
        // Flags on the way, each with the prerequisite that is to be looked at next.
        let mut way = vec![(flag, 0)];
        while let Some((flag, next)) = way.last_mut() {
            let (flag, at) = (*flag, *next);
            *next += 1;
            if chains[flag].is_none() {
                // Reaching a flag that is still being visited is a cycle.
                chains[flag] = Some(Chain { depth: 0, cost: 1, is_endless: true });
            } else if at == 0 {
                way.pop();
                continue;
            }
            let prerequisites = &self.document.flags[flag].prerequisites;
            if let Some(it) = prerequisites.get(at) {
                if let Some(&other) = self.flags.get(it.flag.as_str())
                    && chains[other].is_none()
                {
                    way.push((other, 0));
                }
                continue;
            }
            let behind = prerequisites.iter().filter_map(|it| self.flags.get(it.flag.as_str()));
            let mut chain = Chain { depth: 0, cost: 1, is_endless: false };
            for &other in behind {
                let Some(other) = chains[other] else { continue };
                chain.depth = chain.depth.max(other.depth + 1);
                chain.cost = chain.cost.saturating_add(other.cost);
                chain.is_endless |= other.is_endless;
            }
            chains[flag] = Some(chain);
            way.pop();
        }
        chains[flag].unwrap_or(Chain { depth: 0, cost: 1, is_endless: true })
    }
}
