import {
  type Flag,
  type FlagType,
  newSalt,
  type Variation,
} from "../configuration/document/document";

const variations: Readonly<Record<FlagType, readonly Variation[]>> = {
  boolean: [
    { key: "on", value: true },
    { key: "off", value: false },
  ],
  string: [
    { key: "control", value: "control" },
    { key: "treatment", value: "treatment" },
  ],
  number: [
    { key: "control", value: 0 },
    { key: "treatment", value: 1 },
  ],
  json: [
    { key: "control", value: {} },
    { key: "treatment", value: {} },
  ],
};

/** Returns a new flag, which changes nothing until it gets a rule. */
export function newFlag(key: string, type: FlagType): Flag {
  const before = type === "boolean" ? "off" : "control";
  return {
    key,
    type,
    on: true,
    salt: newSalt(),
    tags: [],
    clientVisible: true,
    archived: false,
    variations: variations[type],
    offVariation: before,
    defaultVariation: before,
    baselineVariation: before,
    prerequisites: [],
    overrides: [],
    rules: [],
  };
}

/**
 * Returns a copy with another key and another salt, so its assignments are independent. Experiments
 * are not copied.
 */
export function duplicateOf(flag: Flag, key: string): Flag {
  const rules = flag.rules.filter(({ serve }) => !("experiment" in serve));
  return { ...flag, key, salt: newSalt(), archived: false, rules };
}
