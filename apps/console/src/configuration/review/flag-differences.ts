import type { Flag, Rule, Serve } from "../document/document";
import { same } from "../document/same";
import type { Difference } from "./changes";
import type { Describer } from "./describer";
import { roleDifferences } from "./metric-differences";
import { difference, field, setDifferences } from "./tell";

export function flagDifferences(was: Flag, is: Flag, describer: Describer): readonly Difference[] {
  const { texts } = describer;
  const { fields } = texts;
  const yesNo = (value: boolean) => (value ? texts.yes : texts.no);
  const served = (variation: string | null) =>
    variation === null ? texts.ownFallback : texts.quoted(variation);
  return [
    ...field(fields.on, was.on, is.on, (value) => (value ? texts.on : texts.off)),
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
    ...field(fields.requiredNotice, was.requires_notice, is.requires_notice, describer.value),
    ...overrideDifferences(was, is, describer),
    ...ruleDifferences(was.rules, is.rules, describer),
    ...field(fields.salt, was.salt, is.salt),
  ];
}

/** Pairs the members of two lists by key. */
function pairs<T>(was: readonly T[], is: readonly T[], key: (item: T) => string) {
  const [old, now] = [was, is].map((list) => new Map(list.map((item) => [key(item), item])));
  const keys = new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])]);
  return [...keys].map((key) => [key, old?.get(key), now?.get(key)] as const);
}

function variationDifferences(was: Flag, is: Flag, { texts, value }: Describer) {
  const changed = pairs(was.variations, is.variations, (variation) => variation.key);
  const order = (flag: Flag) =>
    flag.variations
      .map((variation) => variation.key)
      .filter((key) => [was, is].every((side) => side.variations.some((one) => one.key === key)));
  return [
    ...changed.flatMap(([key, old, now]) =>
      field(texts.variation(texts.quoted(key)), old?.value, now?.value, value),
    ),
    ...field(texts.fields.variationOrder, order(was), order(is), (keys) => keys.join(texts.comma)),
  ];
}

function prerequisiteDifferences(was: Flag, is: Flag, { texts, list }: Describer) {
  return pairs(was.prerequisites, is.prerequisites, (prerequisite) => prerequisite.flag).flatMap(
    ([key, old, now]) =>
      field(texts.prerequisite(texts.quoted(key)), old?.in, now?.in, (variations) =>
        texts.serves(list(variations.map(texts.quoted), "or")),
      ),
  );
}

function overrideDifferences(was: Flag, is: Flag, { texts }: Describer) {
  return pairs(
    was.overrides,
    is.overrides,
    (override) => `${override.unit} ${override.id}`,
  ).flatMap(([key, old, now]) =>
    field(texts.override(key), old?.variation, now?.variation, texts.quoted),
  );
}

function ruleDifferences(was: readonly Rule[], is: readonly Rule[], describer: Describer) {
  const { texts } = describer;
  const whole = (rule: Rule) =>
    texts.ifThen(describer.condition(rule.when), describer.serve(rule.serve));
  const name = (rule: Rule, among: readonly Rule[]) =>
    texts.rule(String(among.indexOf(rule) + 1), rule.name ? texts.quoted(rule.name) : "");
  const order = (rules: readonly Rule[], others: readonly Rule[]) =>
    rules.map((rule) => rule.id).filter((id) => others.some((rule) => rule.id === id));
  const label = (id: string) => {
    const rule = was.find((candidate) => candidate.id === id);
    return rule?.name
      ? texts.quoted(rule.name)
      : String(was.findIndex((candidate) => candidate.id === id) + 1);
  };
  const moved = field(texts.fields.ruleOrder, order(was, is), order(is, was), (ids) =>
    ids.map(label).join(texts.comma),
  );
  const each = pairs(was, is, (rule) => rule.id).flatMap(([, old, now]) => {
    if (!now) return old ? difference(name(old, was), whole(old), undefined) : [];
    const place = name(now, is);
    if (!old) return difference(place, undefined, whole(now));
    const at = (what: string) => texts.within(place, what);
    return [
      ...field(at(texts.fields.name), old.name, now.name),
      ...field(at(texts.fields.when), old.when, now.when, describer.condition),
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
  const { fields } = describer.texts;
  if (same(was, is)) return [];
  if ("rollout" in was && "rollout" in is) {
    const [old, now] = [was.rollout, is.rollout];
    const [a, b] = [old.steps[0], now.steps[0]];
    const isPlain = (steps: typeof old.steps) => steps.length === 1 && !steps[0]?.at;
    if (a && b && isPlain(old.steps) && isPlain(now.steps)) {
      return [
        ...field(at(fields.rollout), a.percent, b.percent, describer.percent),
        ...field(at(fields.serve), old.variation, now.variation, describer.texts.quoted),
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
  const { texts, percent, value } = describer;
  const { fields } = texts;
  const weights = (shares: Experiment["weights"]) =>
    Object.entries(shares)
      .map(([variation, weight]) => `${texts.quoted(variation)} ${percent(weight / 1000)}`)
      .join(texts.comma);
  return [
    ...field(at(fields.experiment), was.key, is.key),
    ...field(at(fields.status), was.status, is.status, (value) => texts.experimentStatus[value]),
    ...field(at(fields.weights), was.weights, is.weights, weights),
    ...field(at(fields.coverage), was.coverage, is.coverage, (value) => percent(value / 1000)),
    ...field(at(fields.winner), was.winner, is.winner, texts.quoted),
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
    ...field(at(fields.minimumEffect), was.minimumEffect, is.minimumEffect, (value) =>
      percent(value * 100),
    ),
    ...roleDifferences(at, was, is, describer),
  ];
}
