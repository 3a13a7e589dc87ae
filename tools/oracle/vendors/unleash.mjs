// Unleash: documents of `/api/client/features`, evaluated by its client for Node.

import { createRequire } from "node:module";
import { ADDRESSES, CITIES, NETWORKS, VERSIONS } from "./random.mjs";

const require = createRequire(import.meta.url);
const { default: UnleashClient } = require("unleash-client/lib/client.js");
const { defaultStrategies } = require("unleash-client/lib/strategy/index.js");

const UNITS = ["userId", "sessionId"];
const STRINGS = ["IN", "NOT_IN", "STR_CONTAINS", "STR_STARTS_WITH", "STR_ENDS_WITH"];
const NUMBERS = ["NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE"];
const SEMVERS = ["SEMVER_EQ", "SEMVER_GT", "SEMVER_GTE", "SEMVER_LT", "SEMVER_LTE"];
const DAY = 86_400_000;

export const name = "unleash";

/** A constraint, a third of them on a context field that the client fills in. */
function constraint(random) {
  const { chance, pick, some } = random;
  const time = () => new Date(Date.now() + pick([-30, -1, 1, 30]) * DAY).toISOString();
  const kind = pick([
    () => ({ contextName: "city", operator: pick(STRINGS), values: some(CITIES) }),
    () => ({ contextName: "city", operator: "REGEX", value: pick(["^[A-Z]", "n$", "er", "^$"]) }),
    () => ({
      contextName: "age",
      operator: pick(NUMBERS),
      value: pick(["17", "18", "30.5", " 4 "]),
    }),
    () => ({ contextName: "app", operator: pick(SEMVERS), value: pick(VERSIONS) }),
    () => ({ contextName: "remoteAddress", operator: "IN_CIDR", values: some(NETWORKS) }),
    () => ({ contextName: "userId", operator: pick(STRINGS), values: some(["u", "x"]) }),
    () => ({
      contextName: "currentTime",
      operator: pick(["DATE_AFTER", "DATE_BEFORE"]),
      value: time(),
    }),
    () => ({ contextName: "since", operator: "DATE_AFTER", value: time() }),
    () => ({
      contextName: "environment",
      operator: pick(STRINGS),
      values: some(["production", "prod", "test", ""]),
    }),
    () => ({
      contextName: "appName",
      operator: pick(STRINGS),
      values: some(["rider", "shop", ""]),
    }),
  ])();
  return { values: [], ...kind, inverted: chance(0.35), caseInsensitive: chance(0.2) };
}

const variants = ({ chance, pick, some }, overridden) =>
  some(["a", "b", "c"], 1).map((key) => ({
    name: key,
    weight: pick([0, 500, 500, 1000]),
    weightType: "variable",
    stickiness: pick(["default", "default", "userId", "random"]),
    ...(overridden && chance(0.3) && { overrides: [override({ pick, some })] }),
  }));

const override = ({ pick, some }) =>
  pick([
    { contextName: "city", values: some(CITIES) },
    { contextName: "environment", values: some(["production", "test"]) },
    { contextName: "appName", values: ["rider"] },
  ]);

function strategy(random, segments) {
  const { chance, pick, times, integer, some } = random;
  const share = () => pick([0, "0", 50, "50", "100", "0.5"]);
  const kind = pick([
    () => ({ name: "default" }),
    () => ({ name: "userWithId", parameters: { userIds: some(["u1", "u2", "u3"]).join(", ") } }),
    () => ({ name: "remoteAddress", parameters: { IPs: some(NETWORKS).join(",") } }),
    () => ({ name: "gradualRolloutUserId", parameters: { percentage: share(), groupId: "g" } }),
    () => ({ name: "gradualRolloutSessionId", parameters: { percentage: share(), groupId: "g" } }),
    () => ({ name: "gradualRolloutRandom", parameters: { percentage: share() } }),
    () => ({
      name: "flexibleRollout",
      parameters: {
        rollout: share(),
        stickiness: pick(["default", "userId", "random", "appName"]),
        groupId: "g",
      },
    }),
    // All people of a city are drawn together, so only these shares can be compared.
    () => ({
      name: "flexibleRollout",
      parameters: { rollout: pick(["0", "100"]), stickiness: "city", groupId: "g" },
    }),
    () => ({ name: "madeUpByTheCompany", parameters: {} }),
  ])();
  return {
    parameters: {},
    ...kind,
    constraints: times(integer(2), () => constraint(random)),
    segments: chance(0.25) ? [pick([...segments.map((segment) => segment.id), 99])] : [],
    ...(chance(0.15) && kind.name !== "userWithId" && { variants: variants(random, false) }),
  };
}

/** Returns a random document. */
export function document(random, flags) {
  const { chance, pick, times, integer } = random;
  const segments = times(6, (id) => ({
    id,
    name: `segment ${id}`,
    constraints: times(integer(2), () => constraint(random)),
  }));
  const features = times(flags, (index) => ({
    name: `f${index}`,
    type: "release",
    enabled: chance(0.9),
    strategies: times(integer(3), () => strategy(random, segments)),
    variants: chance(0.3) ? variants(random, true) : [],
  }));
  // What a few people are drawn for cannot be compared, since both draw by another hash.
  for (const feature of features) {
    if (feature.strategies.some((other) => other.name === "userWithId")) feature.variants = [];
  }
  for (const feature of features.filter(() => chance(0.2))) {
    const parent = pick(features);
    if (parent === feature || parent.dependencies || isParent(features, feature)) continue;
    feature.dependencies = [
      pick([
        { feature: parent.name },
        { feature: parent.name, enabled: false },
        { feature: parent.name, variants: ["a"] },
        { feature: "unknown" },
      ]),
    ];
  }
  return { version: 2, features, segments };
}

const isParent = (features, feature) =>
  features.some((other) => other.dependencies?.some((parent) => parent.feature === feature.name));

/** Returns a context without units: what the application knows about a person. */
export function person({ chance, pick }) {
  const attributes = {};
  if (chance(0.7)) attributes.city = pick(CITIES);
  if (chance(0.7)) attributes.age = pick([3, 4, 17, 18, 30.5, 31]);
  if (chance(0.7)) attributes.app = pick([...VERSIONS, "v1.2.3", "1.2", "new"]);
  if (chance(0.7)) attributes.remoteAddress = pick([...ADDRESSES, "somewhere"]);
  return attributes;
}

/** The units that a context has. */
export const units = [["userId"], ["userId", "sessionId"], ["sessionId"], []];

/** Returns a function that evaluates a flag for a context, as the vendor does. */
export function evaluator(document) {
  const repository = {
    getToggle: (key) => document.features.find((feature) => feature.name === key),
    getSegment: (id) => document.segments.find((segment) => segment.id === id),
  };
  const client = new UnleashClient(repository, defaultStrategies);
  const withVariants = new Set(
    document.features.filter(hasVariants).map((feature) => feature.name),
  );
  return (key, attributes) => {
    const context = { environment: "production", appName: "rider", properties: {} };
    for (const [field, value] of Object.entries(attributes)) {
      if ([...UNITS, "remoteAddress"].includes(field)) context[field] = value;
      else context.properties[field] = String(value);
    }
    if (!withVariants.has(key)) return client.isEnabled(key, context, () => false);
    const variant = client.getVariant(key, context);
    if (variant.enabled) return variant.name;
    return variant.featureEnabled ? "enabled" : "disabled";
  };
}

const hasVariants = (feature) =>
  feature.variants.length > 0 || feature.strategies.some((it) => it.variants?.length > 0);

export const flags = (document) => document.features.map((feature) => feature.name);

/** Whether the value means that the flag is off. */
export const isOff = (value) => value === false || value === "disabled";

/** Whether a value may be served after a part was left out: a later strategy has variants of its own. */
export const mayBeServed = (value, expected) =>
  isOff(value) || [...expected].some((other) => !isOff(other));

/** Whether a remark about a flag leaves its values as they are in this context. */
export function isHarmless({ reason }, context) {
  const [, names] = reason.match(/^users without (.+?) (?:are not|get no)/) ?? [];
  return (
    reason.includes("the environment is taken to be") ||
    names?.split(" and ").some((name) => (context[name] ?? "") !== "")
  );
}

/** Returns the flag's part of the document, as a JSON pointer. */
export const pointer = (document, key) => `/features/${flags(document).indexOf(key)}/`;
