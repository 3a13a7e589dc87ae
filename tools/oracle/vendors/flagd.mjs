// flagd: flag definitions, evaluated by the in-process evaluator of its JavaScript providers.

import { FlagdCore } from "@openfeature/flagd-core";
import { CITIES, VERSIONS } from "./random.mjs";

export const name = "flagd";

const silent = { error() {}, warn() {}, info() {}, debug() {} };

function condition(random, depth = 0) {
  const { pick, some, chance } = random;
  const city = { var: "city" };
  const age = { var: "age" };
  const number = () => pick([0, 17, 18, 30.5, -1]);
  const order = () => pick(["<", "<=", ">", ">="]);
  const inner = () => condition(random, depth + 1);
  const leaves = [
    () => ({ [pick(["==", "===", "!=", "!=="])]: [city, pick([...CITIES, null])] }),
    () => ({ in: [city, some(CITIES)] }),
    () => ({ in: [pick(["er", "B"]), city] }),
    () => ({ starts_with: [city, pick(["B", "b", ""])] }),
    () => ({ ends_with: [city, "n"] }),
    () => ({ [order()]: [age, number()] }),
    () => ({ [order()]: [number(), age] }),
    () => ({ [pick(["==", "!="])]: [age, number()] }),
    () => ({ "<": [pick([-3, 0]), age, 31] }),
    () => ({ sem_ver: [{ var: "app" }, pick(["=", "!=", "<", "<=", ">", ">="]), pick(VERSIONS)] }),
    () => ({ sem_ver: [{ var: "app" }, "^", pick(VERSIONS)] }),
    () => ({ [pick(["==", "!="])]: [{ var: "pro" }, pick([true, false])] }),
    () => ({ starts_with: [{ var: "targetingKey" }, pick(["u", "x"])] }),
    () => ({ $ref: "atWork" }),
    () => ({ ">": [{ var: "$flagd.timestamp" }, 1] }),
    () => pick([true, false]),
  ];
  if (depth > 2 || chance(0.6)) return pick(leaves)();
  return pick([
    () => ({ and: [inner(), inner()] }),
    () => ({ or: [inner(), inner()] }),
    () => ({ "!": [inner()] }),
  ])();
}

function targeting(random, names, depth = 0) {
  const { pick } = random;
  const inner = () => targeting(random, names, depth + 1);
  const leaves = [
    () => pick(names),
    () => pick(names),
    () => null,
    () => ({ fractional: arms(random, names) }),
    // All people with one address are drawn together, so only one variant can be compared.
    () => ({ fractional: [{ var: pick(["email", "city"]) }, [pick(names), 1]] }),
    () => ({
      fractional: [
        { cat: [{ var: "$flagd.flagKey" }, { var: "targetingKey" }] },
        ...arms(random, names),
      ],
    }),
  ];
  if (depth > 1) return pick(leaves)();
  return pick([
    () => ({ if: [condition(random), inner(), inner()] }),
    () => ({ if: [condition(random), inner()] }),
    () => ({ if: [condition(random), inner(), condition(random), inner(), inner()] }),
    () => (names.includes("true") ? condition(random) : inner()),
    pick(leaves),
  ])();
}

const arms = ({ pick }, names) =>
  names.map((arm) => pick([() => [arm], () => [arm, pick([0, 1, 1, 2.5])], () => [arm, 1]])());

/** Returns a random document. */
export function document(random, count) {
  const { chance, pick, times } = random;
  const flags = {};
  for (const index of times(count, (number) => number)) {
    const [first, second] = pick([
      ["true", "false"],
      ["on", "off"],
    ]);
    const variants = pick([
      { [first]: true, [second]: false },
      { one: "one", two: "two", three: "three" },
    ]);
    flags[`f${String(index).padStart(3, "0")}`] = {
      state: chance(0.95) ? "ENABLED" : "DISABLED",
      variants,
      defaultVariant: pick(Object.keys(variants)),
      ...(chance(0.9) && { targeting: targeting(random, Object.keys(variants)) }),
    };
    const last = Object.values(flags).at(-1);
    if (last.targeting === null || typeof last.targeting !== "object") delete last.targeting;
  }
  return { flags, $evaluators: { atWork: { "==": [{ var: "pro" }, true] } } };
}

export function person({ chance, pick }) {
  const attributes = {};
  if (chance(0.6)) attributes.city = pick(CITIES);
  if (chance(0.6)) attributes.age = pick([0, -2, 17, 18, 30.5, 31]);
  if (chance(0.6)) attributes.app = pick(VERSIONS);
  if (chance(0.6)) attributes.pro = pick([true, false]);
  if (chance(0.6)) attributes.email = pick(["a@example.org", "b@example.org"]);
  return attributes;
}

export const units = [["key"], []];

export function evaluator(document) {
  const core = new FlagdCore(undefined, silent);
  core.setConfigurations(JSON.stringify(document));
  return (key, { key: targetingKey, ...attributes }) => {
    const context = { ...attributes, ...(targetingKey !== undefined && { targetingKey }) };
    const type = typeof Object.values(document.flags[key].variants)[0];
    const resolve = type === "boolean" ? "resolveBooleanEvaluation" : "resolveStringEvaluation";
    return core[resolve](key, null, context, silent).value;
  };
}

export const flags = (document) => Object.keys(document.flags);

export const isOff = (value, document, key) => {
  const { variants, defaultVariant } = document.flags[key];
  return (
    value === null || value === false || (value !== true && value === variants[defaultVariant])
  );
};

export const mayBeServed = (value, _expected, document, key) => isOff(value, document, key);

export const isHarmless = ({ reason }, context) =>
  /^users without key get/.test(reason) && context.key !== undefined;

export const pointer = (_document, key) => `/flags/${key}/`;
