// Starts the program with its own embedded database, for tests from outside.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const BIN =
  process.env.MUSETTE_BIN ?? new URL("../../target/debug/musette", import.meta.url).pathname;

export class Program {
  /** Creates a new, empty database. `serve` starts the server. */
  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), "musette-program."));
    this.run("migrate");
  }

  /** Runs a command on the database, and returns what it prints. */
  run(...args) {
    const ran = spawnSync(BIN, args, { env: this.env(), encoding: "utf8" });
    if (ran.status !== 0) {
      const why = ran.error?.message ?? ran.stderr + ran.stdout;
      throw new Error(`musette ${args.join(" ")}: ${why}`);
    }
    return ran.stdout.trim();
  }

  env() {
    return { PATH: process.env.PATH, MUSETTE_DATA: join(this.dir, "data"), MUSETTE_TEST: "1" };
  }

  /** Saves a configuration, which is in effect when this returns. */
  import(document) {
    const file = join(this.dir, "flags.json");
    writeFileSync(file, JSON.stringify(document));
    this.run("flags", "import", file, "--env", "production");
  }

  key(kind) {
    return this.run("key", "create", "--env", "production", "--kind", kind);
  }

  /** Starts the server. It listens at `url` when this resolves. */
  async serve({ listen = "127.0.0.1:0", options = [], env = {} } = {}) {
    this.child = spawn(BIN, ["serve", "--listen", listen, ...options], {
      env: { ...this.env(), ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.exited = new Promise((resolve) => this.child.once("exit", resolve));
    for await (const line of createInterface({ input: this.child.stdout })) {
      this.url = line.replace("musette listening on ", "");
      return;
    }
    throw new Error("musette ended before it listened");
  }

  async stop() {
    this.child?.kill("SIGTERM");
    await this.exited;
  }

  /** Stops the server and deletes the database. */
  async remove() {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
