// Starts the program with its own database and a configuration for the scenarios.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const BIN =
  process.env.MUSETTE_BIN ?? new URL("../../target/debug/musette", import.meta.url).pathname;

const variations = (...values) => values.map((value, i) => ({ key: `v${i}`, value }));

/** A flag that serves everybody the second value. */
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

export class Program {
  static async start() {
    const program = new Program();
    program.dir = mkdtempSync(join(tmpdir(), "musette-openfeature."));
    program.run("migrate");
    program.import(configuration);
    program.import(configuration);
    program.clientKey = program.key("client");
    program.serverKey = program.key("server");
    await program.serve("127.0.0.1:0");
    return program;
  }

  async serve(listen, env = {}) {
    this.child = spawn(BIN, ["serve", "--listen", listen], {
      env: { ...this.env(), ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.exited = new Promise((resolve) => this.child.on("exit", resolve));
    const lines = createInterface({ input: this.child.stdout });
    for await (const line of lines) {
      this.url = line.replace("musette listening on ", "");
      break;
    }
  }

  /** Restarts at the same address, with other settings. */
  async restart(env) {
    this.child.kill("SIGTERM");
    await this.exited;
    await this.serve(new URL(this.url).host, env);
  }

  env() {
    return { PATH: process.env.PATH, MUSETTE_DATA: join(this.dir, "data"), MUSETTE_TEST: "1" };
  }

  run(...args) {
    const ran = spawnSync(BIN, args, { env: this.env(), encoding: "utf8" });
    if (ran.status !== 0) throw new Error(`musette ${args.join(" ")}: ${ran.stderr}${ran.stdout}`);
    return ran.stdout.trim();
  }

  /** Saves a configuration; it is in effect when this returns. */
  import(document) {
    const file = join(this.dir, "flags.json");
    writeFileSync(file, JSON.stringify(document));
    this.run("flags", "import", file, "--env", "production");
  }

  key(kind) {
    return this.run("key", "create", "--env", "production", "--kind", kind);
  }

  /** Revokes every key of this kind and creates a new one. */
  revoke(id) {
    this.run("key", "revoke", id);
  }

  async stop() {
    this.child.kill("SIGTERM");
    await this.exited;
    rmSync(this.dir, { recursive: true });
  }
}

/** The configuration with one flag changed. */
export function changed(key, change) {
  const flags = configuration.flags.map((flag) =>
    flag.key === key ? { ...flag, ...change } : flag,
  );
  return { ...configuration, flags };
}
