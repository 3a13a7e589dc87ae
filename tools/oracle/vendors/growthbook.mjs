// GrowthBook: SDK payloads, evaluated by its JavaScript SDK.

import { GrowthBook } from "@growthbook/growthbook";
import { CITIES, VERSIONS } from "./random.mjs";

export const name = "growthbook";

const TAGS = ["vip", "bike", "night"];

/** Returns a test of one attribute; many hold for a missing attribute. */
function test({ pick, some, integer }) {
  const number = () => pick([0, 17, 18, 30.5, -1]);
  const text = () => ({
    ...pick([
      () => ({ $eq: pick(CITIES) }),
      () => ({ $ne: pick(CITIES) }),
      () => ({ $in: some(CITIES) }),
      () => ({ $nin: some(CITIES) }),
      () => ({ $ini: some(CITIES) }),
      () => ({ $nini: some(CITIES) }),
      () => ({ $regex: pick(["^B", "n$", "^n", ".", "^$"]) }),
      () => ({ $regexi: pick(["^b", "L"]) }),
      () => ({ $exists: pick([true, false]) }),
      () => ({ $inGroup: pick(["north", "nowhere"]) }),
      () => ({ $notInGroup: pick(["north", "nowhere"]) }),
      () => ({ $gt: "C" }),
    ])(),
  });
  const compared = (operators, operand) => ({ [pick(operators)]: operand });
  const leaf = pick([
    () => ["city", pick([...CITIES, "null", null])],
    () => ["city", text()],
    () => ["city", { $not: text() }],
    () => ["age", number()],
    () => ["age", compared(["$gt", "$gte", "$lt", "$lte", "$eq", "$ne"], number())],
    () => ["age", { $not: compared(["$gt", "$gte", "$lt", "$lte"], number()) }],
    () => ["app", compared(["$veq", "$vne", "$vgt", "$vgte", "$vlt", "$vlte"], version(pick))],
    () => ["app", { $not: compared(["$vgt", "$vgte", "$vlt", "$vlte"], version(pick)) }],
    () => ["pro", pick([true, false])],
    () => ["pro", { $ne: true }],
    () => ["tags", { $elemMatch: { $eq: pick(TAGS) } }],
    () => ["tags", { $not: { $elemMatch: { $in: some(TAGS) } } }],
    () => ["tags", { $all: some(TAGS) }],
    () => ["id", { $regex: pick(["^u", "x"]) }],
  ]);
  return Object.fromEntries(Array.from({ length: 1 + integer(1) }, leaf));
}

const version = (pick) => pick([...VERSIONS, "v1.2", "2"]);

function condition(random) {
  const { pick, times, integer } = random;
  return pick([
    () => ({}),
    () => test(random),
    () => test(random),
    () => ({ $or: times(1 + integer(1), () => test(random)) }),
    () => ({ $nor: [test(random)] }),
    () => ({ $not: test(random) }),
    () => ({ $and: [test(random), test(random)] }),
  ])();
}

function rule(random, values, parents) {
  const { chance, pick, integer } = random;
  const served = pick([
    () => ({ force: pick(values) }),
    () => ({ force: pick(values), coverage: pick([0, 0.5, 1]), hashAttribute: "id" }),
    () => ({ force: pick(values), coverage: pick([0, 1]), hashAttribute: "city" }),
    () => ({ variations: values, weights: weights(values, pick), hashVersion: pick([1, 2, 3]) }),
    () => ({ variations: values, coverage: pick([0, 0.5, 1]), meta: values.map(() => ({})) }),
    () => ({ variations: values, meta: values.map((_, i) => ({ passthrough: i === 0 })) }),
  ])();
  return {
    ...(chance(0.7) && { condition: condition(random) }),
    ...(parents.length > 0 && chance(0.15) && { parentConditions: [parent(random, parents)] }),
    ...served,
    // Otherwise all draws of a feature are the same draw.
    seed: String(integer(1e9)),
  };
}

const weights = (values, pick) =>
  values.length === 2
    ? pick([
        [0.5, 0.5],
        [0, 1],
        [1, 0],
      ])
    : values.map(() => 1 / values.length);

const parent = ({ chance, pick }, parents) => ({
  id: pick([...parents, "unknown"]),
  condition: { value: pick([true, false, { $ne: true }, "one"]) },
  ...(chance(0.6) && { gate: true }),
});

/** Returns a random document. */
export function document(random, count) {
  const { chance, pick, times, integer } = random;
  const features = {};
  for (const index of times(count, (number) => number)) {
    const values = pick([
      [false, true],
      [true, false],
      ["one", "two"],
      ["one", "two", "three"],
    ]);
    const parents = Object.keys(features).slice(-3);
    const gates = parents.length > 0 && chance(0.2);
    features[`f${String(index).padStart(3, "0")}`] = {
      defaultValue: values[0],
      rules: [
        ...(gates ? [{ parentConditions: [{ ...parent(random, parents), gate: true }] }] : []),
        ...times(integer(3), () => rule(random, values, parents)),
      ],
    };
  }
  return { features, savedGroups: { north: ["Berlin", "Porto"] } };
}

export function person({ chance, pick, some }) {
  const attributes = {};
  if (chance(0.6)) attributes.city = pick(CITIES);
  if (chance(0.6)) attributes.age = pick([0, -2, 17, 18, 30.5, 31]);
  if (chance(0.6)) attributes.app = pick(VERSIONS);
  if (chance(0.6)) attributes.pro = pick([true, false]);
  if (chance(0.6)) attributes.tags = some(TAGS);
  return attributes;
}

export const units = [["id"], []];

export function evaluator(document) {
  const sdk = new GrowthBook({ features: document.features, savedGroups: document.savedGroups });
  return (key, attributes) => {
    sdk.setAttributes(attributes);
    return sdk.evalFeature(key).value;
  };
}

export const flags = (document) => Object.keys(document.features);

export const isOff = (value, document, key) =>
  value === null ||
  value === false ||
  (value !== true && value === document.features[key].defaultValue);

export const mayBeServed = (value, _expected, document, key) => isOff(value, document, key);

export const isHarmless = ({ reason }) => reason.includes("was renamed to");

export const pointer = (_document, key) => `/features/${key}/`;
