import type {
  Experiment,
  Flag,
  FlagsDocument,
  Rule,
  Serve,
} from "../configuration/document/document";

/** Renames a variation, in the flag and wherever the flag refers to it. */
export function renameVariation(flag: Flag, at: number, key: string): Flag {
  const former = flag.variations[at]?.key;
  const variations = flag.variations.map((variation, index) =>
    index === at ? { ...variation, key } : variation,
  );
  // While two variations have the same key, it is unclear which one a reference means.
  const isShared = flag.variations.some(
    (variation, index) => index !== at && variation.key === former,
  );
  if (former === undefined || isShared) return { ...flag, variations };
  const renamed = (text: string) => (text === former ? key : text);
  return {
    ...flag,
    variations,
    defaultVariation: renamed(flag.defaultVariation),
    baselineVariation: renamed(flag.baselineVariation),
    offVariation: flag.offVariation === null ? null : renamed(flag.offVariation),
    overrides: flag.overrides.map((override) => ({
      ...override,
      variation: renamed(override.variation),
    })),
    rules: flag.rules.map((rule) => ({ ...rule, serve: renamedServe(rule.serve, renamed) })),
  };
}

function renamedServe(serve: Serve, renamed: (key: string) => string): Serve {
  if ("variation" in serve) return { variation: renamed(serve.variation) };
  if ("rollout" in serve) {
    return { rollout: { ...serve.rollout, variation: renamed(serve.rollout.variation) } };
  }
  const weights = Object.entries(serve.experiment.weights).map(([it, weight]) => [
    renamed(it),
    weight,
  ]);
  const { winner } = serve.experiment;
  return {
    experiment: {
      ...serve.experiment,
      weights: Object.fromEntries(weights),
      ...(winner !== undefined && { winner: renamed(winner) }),
    },
  };
}

/** Returns the list with one of its items moved. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** Returns a new id for a rule. Ids are part of the random assignment, so they must never be reused. */
export function newRuleId(): string {
  return `r-${crypto.randomUUID().slice(0, 8)}`;
}

export function newRule(flag: Flag): Rule {
  const other = flag.variations.find(({ key }) => key !== flag.defaultVariation);
  return {
    id: newRuleId(),
    when: { all: [] },
    serve: { variation: (other ?? flag.variations[0])?.key ?? flag.defaultVariation },
  };
}

/**
 * Returns the prerequisites that form a cycle, with the flag's own key first and last; undefined if
 * there is none.
 */
export function prerequisiteCycle(
  document: FlagsDocument,
  flag: Flag,
): readonly string[] | undefined {
  const flags = new Map(document.flags.map((flag) => [flag.key, flag]));
  flags.set(flag.key, flag);
  const dead = new Set<string>();
  const walk = (key: string, way: readonly string[]): readonly string[] | undefined => {
    for (const { flag: next } of flags.get(key)?.prerequisites ?? []) {
      if (next === flag.key) return [...way, next];
      if (dead.has(next) || way.includes(next)) continue;
      const cycle = walk(next, [...way, next]);
      if (cycle) return cycle;
      dead.add(next);
    }
    return undefined;
  };
  return walk(flag.key, [flag.key]);
}

export interface References {
  /** Flags that depend on this one. */
  readonly flags: readonly string[];
  readonly holdouts: readonly string[];
  readonly layers: readonly string[];
}

export const experimentsOf = (flag: Flag): readonly Experiment[] =>
  flag.rules.flatMap(({ serve }) => ("experiment" in serve ? [serve.experiment] : []));

/** Returns the objects that refer to this flag or its experiments. */
export function referencesTo(document: FlagsDocument, flag: Flag): References {
  const { key } = flag;
  const own = new Set(experimentsOf(flag).map((experiment) => experiment.key));
  return {
    flags: document.flags
      .filter(({ prerequisites }) =>
        prerequisites.some((prerequisite) => prerequisite.flag === key),
      )
      .map((flag) => flag.key),
    holdouts: document.holdouts
      .filter(({ applies }) => [...applies.flags, ...applies.exceptFlags].includes(key))
      .map((holdout) => holdout.key),
    layers: document.layers
      .filter(({ slots }) => slots.some(({ experiment }) => own.has(experiment)))
      .map((layer) => layer.key),
  };
}

/** Returns the document without this flag and the references to it. */
export function deleteFlag(document: FlagsDocument, flag: Flag): FlagsDocument {
  const { key } = flag;
  const own = new Set(experimentsOf(flag).map((experiment) => experiment.key));
  const others = (keys: readonly string[]) => keys.filter((flagKey) => flagKey !== key);
  return {
    ...document,
    flags: document.flags.filter((flag) => flag.key !== key),
    holdouts: document.holdouts.map(({ applies, ...holdout }) => ({
      ...holdout,
      applies: {
        ...applies,
        flags: others(applies.flags),
        exceptFlags: others(applies.exceptFlags),
      },
    })),
    layers: document.layers.map(({ slots, ...layer }) => ({
      ...layer,
      slots: slots.filter(({ experiment }) => !own.has(experiment)),
    })),
  };
}

/** Returns the holdouts that can exclude people from this flag's changes. */
export function holdoutsOf(document: FlagsDocument, flag: Flag) {
  const isTested = experimentsOf(flag).some(({ status }) => status === "running");
  return document.holdouts.filter(({ applies, scope }) => {
    if (scope === "experiments" && !isTested) return false;
    if (applies.mode === "global") return !applies.exceptFlags.includes(flag.key);
    return applies.flags.includes(flag.key) || applies.tags.some((tag) => flag.tags.includes(tag));
  });
}
