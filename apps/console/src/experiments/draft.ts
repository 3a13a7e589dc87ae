import {
  type Experiment,
  type Flag,
  type FlagsDocument,
  newSalt,
  type Rule,
  withFlag,
  withLayer,
} from "../configuration/document/document";
import { isNewKey } from "../configuration/document/new-key";
import {
  emptyRoles,
  type RolesDraft,
  type RolesError,
  rolesDraftOf,
  rolesErrors,
  rolesFrom,
  withNewMetric,
} from "../configuration/metrics/roles";
import { address, text } from "../routes/address";
import { experimentOf, experimentsOf, type PlacedExperiment } from "./of-document";

export const BUCKETS = 100_000;

/** An experiment in the form. Percentages are as people type them. */
export interface Draft extends RolesDraft {
  readonly flag: string;
  readonly key: string;
  readonly hypothesis: string;
  readonly unit: string;
  readonly fallbackUnit: string;
  readonly coverage: number;
  /** By variation. */
  readonly weights: Readonly<Record<string, number>>;
  /**
   * The smallest change of the goal metric worth detecting, in percent of its value; 0 if it was
   * not set.
   */
  readonly minimumEffect: number;
  readonly layer: string;
  readonly slot: { readonly from: number; readonly to: number };
  readonly isSticky: boolean;
  /** Whether the rule comes before the flag's other rules. Only for a new experiment. */
  readonly isFirst: boolean;
  /** Starts a new phase, which counts from zero with the changes. */
  readonly isNewPhase: boolean;
}

/** The flag to test. */
export const readSetUpSearch = address({ flag: text() });

/** The default for a new experiment. */
const EFFECT_USUAL = 10;

/** Three decimals, as a percentage is typed. */
const percentOfShare = (share: number) => Math.round(share * 100_000) / 1000;
const percentOf = (buckets: number) => buckets / 1000;
const bucketsOf = (percent: number) => Math.round(percent * 1000);

/** Returns equal shares with three decimals. The first arms get the remainder, as in 33.334. */
export function equalWeights(arms: readonly string[]): Readonly<Record<string, number>> {
  const each = Math.floor(BUCKETS / arms.length);
  const rest = BUCKETS - each * arms.length;
  return Object.fromEntries(arms.map((arm, at) => [arm, percentOf(each + Number(at < rest))]));
}

export const weightSum = (weights: Readonly<Record<string, number>>): number =>
  percentOf(Object.values(weights).reduce((sum, value) => sum + bucketsOf(value), 0));

/** Returns a new experiment on a flag: equal shares for all variations, and all people take part. */
export function newDraft(document: FlagsDocument, flag: Flag | undefined): Draft {
  return {
    flag: flag?.key ?? "",
    key: flag ? freeKey(document, flag.key) : "",
    hypothesis: "",
    ...emptyRoles,
    unit: "userId",
    fallbackUnit: "",
    coverage: 100,
    weights: equalWeights(flag?.variations.map(({ key }) => key) ?? []),
    minimumEffect: EFFECT_USUAL,
    layer: "",
    slot: { from: 0, to: 100 },
    isSticky: true,
    isFirst: false,
    isNewPhase: false,
  };
}

function freeKey(document: FlagsDocument, wanted: string): string {
  const keys = new Set(experimentsOf(document).map(({ experiment }) => experiment.key));
  for (let number = 1; ; number++) {
    const key = number === 1 ? wanted : `${wanted}-${number}`;
    if (!keys.has(key)) return key;
  }
}

export function draftOf(document: FlagsDocument, { flag, experiment }: PlacedExperiment): Draft {
  const slot = document.layers
    .find(({ key }) => key === experiment.layer)
    ?.slots.find((slot) => slot.experiment === experiment.key);
  return {
    flag: flag.key,
    key: experiment.key,
    hypothesis: experiment.hypothesis ?? "",
    ...rolesDraftOf({ ...experiment, ...goalOf(document, experiment) }),
    unit: experiment.unit,
    fallbackUnit: experiment.fallbackUnit ?? "",
    coverage: percentOf(experiment.coverage),
    weights: Object.fromEntries(
      flag.variations.map(({ key }) => [key, percentOf(experiment.weights[key] ?? 0)]),
    ),
    minimumEffect: percentOfShare(experiment.minimumEffect ?? 0),
    layer: experiment.layer ?? "",
    slot: slot ? { from: percentOf(slot.from), to: percentOf(slot.to) } : { from: 0, to: 100 },
    isSticky: experiment.sticky,
    isFirst: false,
    isNewPhase: false,
  };
}

/** In an older document, the primary metric is the goal if it is declared. */
function goalOf({ metrics = [] }: FlagsDocument, { goal, primaryMetric }: Experiment) {
  const declared = goal ?? metrics.find(({ key }) => key === primaryMetric)?.key;
  return declared ? { goal: declared } : {};
}

function experimentFrom(draft: Draft, before: Experiment | undefined): Experiment {
  const {
    layer: _layer,
    fallbackUnit: _fallback,
    hypothesis: _hypothesis,
    primaryMetric,
    goal: _goal,
    guardrails: _guardrails,
    secondary: _secondary,
    minimumEffect: _effect,
    ...kept
  } = before ?? {
    key: draft.key,
    seed: newSalt(),
    bucketVersion: 1,
    minBucketVersion: 0,
    phase: 1,
    status: "draft" as const,
  };
  const roles = rolesFrom(draft);
  const weights = Object.entries(draft.weights).map(([key, it]) => [key, bucketsOf(it)] as const);
  return {
    ...kept,
    ...(draft.layer && { layer: draft.layer }),
    unit: draft.unit,
    ...(draft.fallbackUnit && { fallbackUnit: draft.fallbackUnit }),
    coverage: bucketsOf(draft.coverage),
    weights: Object.fromEntries(weights.filter(([, it]) => it > 0)),
    sticky: draft.isSticky,
    phase: kept.phase + Number(draft.isNewPhase),
    ...(draft.hypothesis.trim() && { hypothesis: draft.hypothesis.trim() }),
    ...roles,
    ...(draft.minimumEffect > 0 && { minimumEffect: draft.minimumEffect / 100 }),
    // An older document keeps it until a goal is chosen.
    ...(primaryMetric && !roles.goal && { primaryMetric }),
  };
}

/**
 * Returns the document with this experiment. A new experiment becomes a rule of its flag that
 * matches all people.
 */
export function documentWith(
  document: FlagsDocument,
  draft: Draft,
  status: Experiment["status"] | undefined,
): FlagsDocument {
  const placed = experimentOf(document, draft.key);
  const flag = placed?.flag ?? document.flags.find(({ key }) => key === draft.flag);
  if (!flag) return document;
  const drafted = experimentFrom(draft, placed?.experiment);
  const experiment = status ? { ...drafted, status } : drafted;
  const rules = placed
    ? flag.rules.map((rule) =>
        rule.id === placed.rule.id ? { ...rule, serve: { experiment } } : rule,
      )
    : withRule(flag.rules, { id: freeId(flag), when: { all: [] }, serve: { experiment } }, draft);
  const changed = withFlag(document, { ...flag, rules });
  return withNewMetric(withSlot(changed, draft), draft);
}

const withRule = (rules: readonly Rule[], rule: Rule, { isFirst }: Draft): readonly Rule[] =>
  isFirst ? [rule, ...rules] : [...rules, rule];

function freeId({ rules }: Flag): string {
  const ids = new Set(rules.map(({ id }) => id));
  for (let number = 1; ; number++) {
    const id = number === 1 ? "test" : `test-${number}`;
    if (!ids.has(id)) return id;
  }
}

/** Puts the experiment into its layer, and removes it from every other layer. */
function withSlot(document: FlagsDocument, { key, layer, slot }: Draft): FlagsDocument {
  const newSlot = { experiment: key, from: bucketsOf(slot.from), to: bucketsOf(slot.to) };
  const layers = document.layers.map((entry) => {
    const isMine = entry.key === layer;
    if (!isMine && entry.slots.every(({ experiment }) => experiment !== key)) return entry;
    const others = entry.slots.filter(({ experiment }) => experiment !== key);
    return {
      ...entry,
      slots: isMine ? [...others, newSlot].sort((a, b) => a.from - b.from) : others,
    };
  });
  const changed = { ...document, layers };
  return !layer || layers.some((entry) => entry.key === layer)
    ? changed
    : withLayer(changed, { key: layer, salt: newSalt(), slots: [newSlot] });
}

/** Returns the first free slot of a layer; undefined if it is full. */
export function freeSlot(document: FlagsDocument, layer: string, key: string) {
  const slots = document.layers.find((candidate) => candidate.key === layer)?.slots ?? [];
  let from = 0;
  for (const slot of slots
    .filter((slot) => slot.experiment !== key)
    .toSorted((a, b) => a.from - b.from)) {
    if (slot.from > from) return { from: percentOf(from), to: percentOf(slot.from) };
    from = Math.max(from, slot.to);
  }
  return from < BUCKETS ? { from: percentOf(from), to: 100 } : undefined;
}

export type ExperimentError =
  | "flag"
  | "key"
  | "keyTaken"
  | "keyForm"
  | "arms"
  | "sum"
  | "coverage"
  | "slot"
  | "slotTaken"
  | "effect"
  | RolesError;

/** Reports errors that the server would return as well. The server checks everything again. */
export function errorsOf(
  document: FlagsDocument,
  draft: Draft,
  isNew: boolean,
): readonly ExperimentError[] {
  const errors: ExperimentError[] = [];
  const arms = Object.values(draft.weights).filter((value) => value > 0);
  if (!document.flags.some(({ key }) => key === draft.flag)) errors.push("flag");
  if (!draft.key) errors.push("key");
  else if (isNew && !isNewKey(draft.key)) errors.push("keyForm");
  else if (isNew && experimentOf(document, draft.key)) errors.push("keyTaken");
  const before = experimentOf(document, draft.key)?.experiment;
  errors.push(...rolesErrors(document, draft, isNew || before?.goal !== undefined));
  if (!(draft.minimumEffect >= 0)) errors.push("effect");
  if (arms.length < 2) errors.push("arms");
  if (weightSum(draft.weights) !== 100) errors.push("sum");
  if (!(draft.coverage > 0 && draft.coverage <= 100)) errors.push("coverage");
  if (draft.layer) {
    const { from, to } = draft.slot;
    const others = document.layers.find(({ key }) => key === draft.layer)?.slots ?? [];
    if (!(from >= 0 && from < to && to <= 100)) errors.push("slot");
    else if (
      others.some(
        (other) =>
          other.experiment !== draft.key &&
          bucketsOf(from) < other.to &&
          other.from < bucketsOf(to),
      )
    ) {
      errors.push("slotTaken");
    }
  }
  return errors;
}

/**
 * Whether the change would move people to other arms or change the proportions, so that one phase
 * would mix both.
 */
export const mixesPhase = (before: Draft, after: Draft): boolean =>
  before.unit !== after.unit ||
  Object.keys({ ...before.weights, ...after.weights }).some(
    (arm) => before.weights[arm] !== after.weights[arm],
  );

/** Returns the share of all people who take part: the layer's slot, times the traffic allocation. */
export function shareOf({ coverage, layer, slot }: Draft): number {
  const inLayer = layer ? Math.max(slot.to - slot.from, 0) / 100 : 1;
  return ((coverage || 0) / 100) * inLayer;
}

/** Returns the weights of the arms in use, with the baseline first. */
export function weightsOf({ weights }: Draft, flag: Flag): readonly number[] {
  const drawn = Object.entries(weights).filter(([, weight]) => weight > 0);
  const baseline = drawn.find(([arm]) => arm === flag.baselineVariation) ?? drawn[0];
  const others = drawn.filter((weight) => weight !== baseline);
  return [...(baseline ? [baseline] : []), ...others].map(([, weight]) => weight);
}
