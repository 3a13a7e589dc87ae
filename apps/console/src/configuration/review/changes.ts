import type {
  Attribute,
  Flag,
  FlagsDocument,
  Holdout,
  Layer,
  Metric,
  Segment,
} from "../document/document";
import { byKey, type Item, keyOf, SECTIONS, type SectionName } from "../document/objects";
import { same } from "../document/same";
import type { Describer } from "./describer";
import { flagDifferences } from "./flag-differences";
import { metricDifferences, roleDifferences } from "./metric-differences";
import { type Describe, field } from "./tell";

/** One difference, described as text. */
export interface Difference {
  readonly place: string;
  readonly before?: string;
  readonly after?: string;
}

export interface ObjectChange {
  readonly section: SectionName;
  readonly key: string;
  readonly how: "added" | "removed" | "changed";
  readonly differences: readonly Difference[];
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Returns the differences between two configurations, object by object. */
export function changesBetween(
  before: FlagsDocument,
  after: FlagsDocument,
  describer: Describer,
): readonly ObjectChange[] {
  return SECTIONS.flatMap((section) => {
    const [old, now] = [byKey(before, section), byKey(after, section)];
    const keys = [...now.keys(), ...[...old.keys()].filter((key) => !now.has(key))];
    return keys.flatMap((key): readonly ObjectChange[] => {
      const [was, is] = [old.get(key), now.get(key)];
      if (same(was, is)) return [];
      const how = !was ? "added" : !is ? "removed" : "changed";
      const differences = is ? differencesOf(section, was ?? emptyItem(is), is, describer) : [];
      return [{ section, key: is ? keyOf(is) : key, how, differences, before: was, after: is }];
    });
  });
}

/**
 * Returns an object of the same type without content: everything of a new object is a difference,
 * except its generated members.
 */
function emptyItem(is: Item): Item {
  const { key, salt, baselineVariation } = is as Flag;
  const lists = {
    tags: [],
    variations: [],
    prerequisites: [],
    overrides: [],
    rules: [],
    slots: [],
  };
  return { key, salt, baselineVariation, archived: false, ...lists } as unknown as Item;
}

function differencesOf(section: SectionName, was: Item, is: Item, describer: Describer) {
  if (section === "flags") return flagDifferences(was as Flag, is as Flag, describer);
  if (section === "segments") return segmentDifferences(was as Segment, is as Segment, describer);
  if (section === "holdouts") return holdoutDifferences(was as Holdout, is as Holdout, describer);
  if (section === "metrics") return metricDifferences(was as Metric, is as Metric, describer);
  if (section === "layers") return layerDifferences(was as Layer, is as Layer, describer);
  return attributeDifferences(was as Attribute, is as Attribute, describer);
}

function segmentDifferences(was: Segment, is: Segment, { texts, condition }: Describer) {
  return [
    ...field(texts.fields.description, was.description, is.description),
    ...field(texts.fields.match, was.match, is.match, condition),
  ];
}

function attributeDifferences(was: Attribute, is: Attribute, { texts }: Describer) {
  return [
    ...field(texts.fields.type, was.type, is.type),
    ...field(texts.fields.description, was.description, is.description),
  ];
}

function layerDifferences(was: Layer, is: Layer, describer: Describer) {
  const { texts } = describer;
  const slots: Describe<Layer["slots"]> = (list) =>
    list
      .map(({ experiment, from, to }) => `${experiment} ${describer.percent((to - from) / 1000)}`)
      .join(texts.comma);
  return [
    ...field(texts.fields.description, was.description, is.description),
    ...field(texts.fields.salt, was.salt, is.salt),
    ...field(texts.fields.slots, was.slots, is.slots, slots),
  ];
}

function holdoutDifferences(was: Holdout, is: Holdout, describer: Describer) {
  const { texts, percent, condition } = describer;
  const times: Describe<Holdout["schedule"]> = (schedule) =>
    schedule
      ? [schedule.startAt, schedule.analysisAt, schedule.stopAt]
          .map((at) => (at ? describer.instant(at) : texts.none))
          .join(texts.comma)
      : texts.none;
  const applies: Describe<Holdout["applies"]> = (choice) =>
    choice.mode === "global"
      ? texts.allFlagsBut(choice.exceptFlags.join(texts.comma) || texts.none)
      : texts.onlyFlags(
          [...choice.flags, ...choice.tags.map((tag) => `#${tag}`)].join(texts.comma),
        );
  return [
    ...field(texts.fields.description, was.description, is.description),
    ...field(texts.fields.status, was.status, is.status, (value) => texts.holdoutStatus[value]),
    ...field(texts.fields.percent, was.percent, is.percent, percent),
    ...field(texts.fields.unit, was.unit, is.unit),
    ...field(texts.fields.salt, was.salt, is.salt),
    ...field(texts.fields.priority, was.priority, is.priority, describer.value),
    ...field(texts.fields.scope, was.scope, is.scope, (value) => texts.holdoutScope[value]),
    ...field(texts.fields.applies, was.applies, is.applies, applies),
    ...field(texts.fields.population, was.population, is.population, (population) =>
      population ? condition(population) : texts.everybody,
    ),
    ...field(texts.fields.schedule, was.schedule, is.schedule, times),
    ...roleDifferences((what) => what, was, is, describer),
  ];
}
