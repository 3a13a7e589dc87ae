// Starts the program with its own database and a configuration for the scenarios.

import { Program } from "../program/program.mjs";

const variations = (...values) => values.map((value, i) => ({ key: `v${i}`, value }));

/** Returns a flag that serves all people the second value. */
const constant = (key, type, first, second) => ({
  key,
  type,
  on: true,
  salt: key,
  variations: variations(first, second),
  offVariation: "v0",
  defaultVariation: "v1",
  baselineVariation: "v0",
  rules: [],
});

const ruled = (key, when, more = {}) => ({
  ...constant(key, "boolean", true, false),
  rules: [{ id: "r1", when, serve: { variation: "v0" } }],
  ...more,
});

const drawn = (key, unit, percent) =>
  ruled(key, undefined, {
    rules: [
      {
        id: "r1",
        when: { all: [] },
        serve: { rollout: { unit, steps: [{ percent }], variation: "v0" } },
      },
    ],
  });

export const configuration = {
  schema: "musette.flags/1",
  environment: "production",
  version: 0,
  attributes: [
    { name: "country", type: "string" },
    { name: "hours", type: "number" },
    { name: "pro", type: "boolean" },
  ],
  segments: [],
  layers: [],
  holdouts: [],
  flags: [
    constant("boolean", "boolean", false, true),
    constant("string", "string", "no", "yes · “sí”"),
    constant("integer", "number", 1, 42),
    constant("float", "number", 1, 0.5),
    constant("huge", "number", 1, 9007199254740991),
    constant("object", "json", {}, { title: "Check-in", steps: [1, 2, { last: true }] }),
    constant("list", "json", [], [1, "two"]),
    { ...constant("off", "boolean", false, true), on: false },
    ruled("in-uruguay", { attr: "country", op: "eq", value: "UY" }),
    ruled("long-hours", { attr: "hours", op: "gte", value: 10 }),
    ruled("for-pros", { attr: "pro", op: "eq", value: true }),
    drawn("by-key", "key", 50),
    drawn("by-user", "userId", 100),
    { ...constant("hidden", "boolean", false, true), clientVisible: false },
  ],
};

export class FlagProgram extends Program {
  static async start() {
    const program = new FlagProgram();
    program.import(configuration);
    program.import(configuration);
    program.clientKey = program.key("client");
    program.serverKey = program.key("server");
    await program.serve();
    return program;
  }

  /** Restarts at the same address, with other settings. */
  async restart(env) {
    await this.stop();
    await this.serve({ listen: new URL(this.url).host, env });
  }

  /** Revokes a key. */
  revoke(id) {
    this.run("key", "revoke", id);
  }
}

/** Returns the configuration with one flag changed. */
export function changed(key, change) {
  const flags = configuration.flags.map((flag) =>
    flag.key === key ? { ...flag, ...change } : flag,
  );
  return { ...configuration, flags };
}
