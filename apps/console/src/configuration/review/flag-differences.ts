import type { Flag, Rule, Serve } from "../document/document";
import { same } from "../document/same";
import type { Difference } from "./changes";
import { roleDifferences } from "./metric-differences";
import { difference, field, setDifferences } from "./tell";
import type { Describer } from "./teller";

export function flagDifferences(was: Flag, is: Flag, describer: Describer): readonly Difference[] {
  const { words } = describer;
  const { fields } = words;
  const yesNo = (it: boolean) => (it ? words.yes : words.no);
  const served = (it: string | null) => (it === null ? words.ownFallback : words.quoted(it));
  return [
    ...field(fields.on, was.on, is.on, (it) => (it ? words.on : words.off)),
    ...field(fields.archived, was.archived, is.archived, yesNo),
    ...field(fields.type, was.type, is.type),
    ...field(fields.description, was.description, is.description),
    ...field(fields.owner, was.owner, is.owner),
    ...setDifferences(fields.tag, was.tags, is.tags),
    ...field(fields.clientVisible, was.clientVisible, is.clientVisible, yesNo),
    ...variationDifferences(was, is, describer),
    ...field(fields.defaultVariation, was.defaultVariation, is.defaultVariation, served),
    ...field(fields.offVariation, was.offVariation, is.offVariation, served),
    ...field(fields.baselineVariation, was.baselineVariation, is.baselineVariation, served),
    ...prerequisiteDifferences(was, is, describer),
    ...overrideDifferences(was, is, describer),
    ...ruleDifferences(was.rules, is.rules, describer),
    ...field(fields.salt, was.salt, is.salt),
  ];
}

/** Pairs the members of two lists by key. */
function pairs<T>(was: readonly T[], is: readonly T[], key: (it: T) => string) {
  const [old, now] = [was, is].map((list) => new Map(list.map((it) => [key(it), it])));
  const keys = new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])]);
  return [...keys].map((it) => [it, old?.get(it), now?.get(it)] as const);
}

function variationDifferences(was: Flag, is: Flag, { words, value }: Describer) {
  const changed = pairs(was.variations, is.variations, (it) => it.key);
  const order = (flag: Flag) =>
    flag.variations
      .map((it) => it.key)
      .filter((key) => [was, is].every((it) => it.variations.some((one) => one.key === key)));
  return [
    ...changed.flatMap(([key, old, now]) =>
      field(words.variation(words.quoted(key)), old?.value, now?.value, value),
    ),
    ...field(words.fields.variationOrder, order(was), order(is), (it) => it.join(words.comma)),
  ];
}

function prerequisiteDifferences(was: Flag, is: Flag, { words, list }: Describer) {
  return pairs(was.prerequisites, is.prerequisites, (it) => it.flag).flatMap(([key, old, now]) =>
    field(words.prerequisite(words.quoted(key)), old?.in, now?.in, (it) =>
      words.serves(list(it.map(words.quoted), "or")),
    ),
  );
}

function overrideDifferences(was: Flag, is: Flag, { words }: Describer) {
  return pairs(was.overrides, is.overrides, (it) => `${it.unit} ${it.id}`).flatMap(
    ([key, old, now]) => field(words.override(key), old?.variation, now?.variation, words.quoted),
  );
}

function ruleDifferences(was: readonly Rule[], is: readonly Rule[], describer: Describer) {
  const { words } = describer;
  const whole = (rule: Rule) =>
    words.ifThen(describer.condition(rule.when), describer.serve(rule.serve));
  const name = (rule: Rule, among: readonly Rule[]) =>
    words.rule(String(among.indexOf(rule) + 1), rule.name ? words.quoted(rule.name) : "");
  const order = (rules: readonly Rule[], others: readonly Rule[]) =>
    rules.map((it) => it.id).filter((id) => others.some((it) => it.id === id));
  const label = (id: string) => {
    const rule = was.find((it) => it.id === id);
    return rule?.name ? words.quoted(rule.name) : String(was.findIndex((it) => it.id === id) + 1);
  };
  const moved = field(words.fields.ruleOrder, order(was, is), order(is, was), (ids) =>
    ids.map(label).join(words.comma),
  );
  const each = pairs(was, is, (it) => it.id).flatMap(([, old, now]) => {
    if (!now) return old ? difference(name(old, was), whole(old), undefined) : [];
    const place = name(now, is);
    if (!old) return difference(place, undefined, whole(now));
    const at = (what: string) => words.within(place, what);
    return [
      ...field(at(words.fields.name), old.name, now.name),
      ...field(at(words.fields.when), old.when, now.when, describer.condition),
      ...serveDifferences(at, old.serve, now.serve, describer),
    ];
  });
  return [...moved, ...each];
}

function serveDifferences(
  at: (what: string) => string,
  was: Serve,
  is: Serve,
  describer: Describer,
): readonly Difference[] {
  const { fields } = describer.words;
  if (same(was, is)) return [];
  if ("rollout" in was && "rollout" in is) {
    const [old, now] = [was.rollout, is.rollout];
    const [a, b] = [old.steps[0], now.steps[0]];
    const isPlain = (steps: typeof old.steps) => steps.length === 1 && !steps[0]?.at;
    if (a && b && isPlain(old.steps) && isPlain(now.steps)) {
      return [
        ...field(at(fields.rollout), a.percent, b.percent, describer.percent),
        ...field(at(fields.serve), old.variation, now.variation, describer.words.quoted),
        ...field(at(fields.unit), old.unit, now.unit),
      ];
    }
    const steps = field(at(fields.rollout), was, is, describer.serve);
    return [...steps, ...field(at(fields.unit), old.unit, now.unit)];
  }
  if ("experiment" in was && "experiment" in is) {
    return experimentDifferences(at, was.experiment, is.experiment, describer);
  }
  return field(at(fields.serve), was, is, describer.serve);
}

type Experiment = Extract<Serve, { experiment: unknown }>["experiment"];

function experimentDifferences(
  at: (what: string) => string,
  was: Experiment,
  is: Experiment,
  describer: Describer,
): readonly Difference[] {
  const { words, percent, value } = describer;
  const { fields } = words;
  const weights = (it: Experiment["weights"]) =>
    Object.entries(it)
      .map(([variation, weight]) => `${words.quoted(variation)} ${percent(weight / 1000)}`)
      .join(words.comma);
  return [
    ...field(at(fields.experiment), was.key, is.key),
    ...field(at(fields.status), was.status, is.status, (it) => words.experimentStatus[it]),
    ...field(at(fields.weights), was.weights, is.weights, weights),
    ...field(at(fields.coverage), was.coverage, is.coverage, (it) => percent(it / 1000)),
    ...field(at(fields.winner), was.winner, is.winner, words.quoted),
    ...field(at(fields.layer), was.layer, is.layer),
    ...field(at(fields.unit), was.unit, is.unit),
    ...field(at(fields.fallbackUnit), was.fallbackUnit, is.fallbackUnit),
    ...field(at(fields.phase), was.phase, is.phase, value),
    ...field(at(fields.sticky), was.sticky, is.sticky, value),
    ...field(at(fields.bucketVersion), was.bucketVersion, is.bucketVersion, value),
    ...field(at(fields.minBucketVersion), was.minBucketVersion, is.minBucketVersion, value),
    ...field(at(fields.seed), was.seed, is.seed),
    ...field(at(fields.hypothesis), was.hypothesis, is.hypothesis),
    ...field(at(fields.primaryMetric), was.primaryMetric, is.primaryMetric),
    ...field(at(fields.minimumEffect), was.minimumEffect, is.minimumEffect, (it) =>
      percent(it * 100),
    ),
    ...roleDifferences(at, was, is, describer),
  ];
}
