import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = new URL("../../", import.meta.url).pathname;
const program = process.env.MUSETTE_BIN ?? join(root, "target/debug/musette");
const env = {
  ...process.env,
  MUSETTE_TEST: "1",
  MUSETTE_TEST_IMAGES: "fast",
  MUSETTE_LIMITS: "off",
};

/** One row of `consents export`. */
export interface Row {
  readonly receipt_id: string;
  readonly user_id: string;
  readonly user_type: string;
  readonly terms_and_conditions_id: number;
  readonly accepted: boolean;
  readonly sha256: string;
  readonly evidence: string;
  readonly market: string | null;
}

export interface Tokens {
  readonly dhhToken: string;
  readonly refreshToken: string;
}

/** The command line with one database, as an operator uses it next to a running server. */
export class Store {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  private run(...args: readonly string[]): string {
    return this.runWith("", ...args);
  }

  private runWith(input: string, ...args: readonly string[]): string {
    return execFileSync(program, [...args, "--data", this.folder], {
      env,
      encoding: "utf8",
      input,
      // Its other output is part of the error, if there is one, instead of being mixed with the
      // tests' dots.
      stdio: "pipe",
    });
  }

  make(): void {
    this.run("migrate");
  }

  publish(file: string, type: string, title: string, ...more: readonly string[]): { id: number } {
    return JSON.parse(
      this.run("terms", "publish", file, "--type", type, "--title", title, ...more),
    );
  }

  erase(id: string): void {
    this.run("user", "erase", "--id", id);
  }

  addMarket(code: string): void {
    this.run("market", "add", code);
  }

  addRider(id: string, name: string, email?: string): void {
    this.run("user", "add", "--id", id, "--name", name, ...(email ? ["--email", email] : []));
  }

  /** Adds an admin, and returns the token of the one-time link for their first sign-in. */
  addAdmin(id: string, email: string): string {
    const output = this.run("user", "add", "--id", id, "--role", "admin", "--email", email);
    return /#(\S+)/.exec(output)?.[1] ?? "";
  }

  addOperator(id: string, email: string, password: string, name?: string): void {
    const named = ["--id", id, "--role", "operator", "--email", email];
    if (name) named.push("--name", name);
    this.runWith(`${password}\n`, "user", "add", ...named, "--password-stdin");
  }

  /** Adds a colleague with these roles, such as `legal@DE`. */
  addColleague(id: string, email: string, password: string, roles: readonly string[]): void {
    const granted = roles.flatMap((role) => ["--role", role]);
    const named = ["--id", id, "--email", email, ...granted];
    this.runWith(`${password}\n`, "user", "add", ...named, "--password-stdin");
  }

  tokens(user: string, ttlSeconds: number): Tokens {
    return JSON.parse(
      this.run("token", "issue", "--user", user, "--access-ttl", String(ttlSeconds)),
    );
  }

  /** Saves a configuration of flags. A running server serves it within a second. */
  importFlags(document: object): void {
    const file = join(this.folder, "flags.json");
    writeFileSync(file, JSON.stringify(document));
    this.run("flags", "import", file, "--env", "production");
  }

  /** Imports decisions of riders, as a host would migrate them: `user_id`, term, accepted, language. */
  importConsents(rows: readonly (readonly [string, number, boolean, string])[]): void {
    const file = join(this.folder, "consents.csv");
    const lines = rows.map(([user, term, accepted, locale]) =>
      [user, term, accepted, "2026-06-01T10:00:00Z", locale].join(","),
    );
    const header = "user_id,terms_and_conditions_id,accepted,consented_at,locale";
    writeFileSync(file, `${[header, ...lines].join("\n")}\n`);
    this.run("consents", "import", file);
  }

  createFlagKey(kind: "client" | "server" = "client"): string {
    return this.run("key", "create", "--env", "production", "--kind", kind).trim();
  }

  backup(): void {
    this.run("backup", join(this.folder, "backup"));
  }

  /** Returns every decision in the database, oldest first. */
  decisions(): Row[] {
    const lines = this.run("consents", "export", "--format", "jsonl").trim().split("\n");
    return lines.filter(Boolean).map((line) => JSON.parse(line));
  }
}

export interface Musette extends Store {
  readonly url: string;
  /** Fetches the Prometheus metrics, which have a separate address. */
  metrics(): Promise<string>;
}

export function newStore(copyOf?: string): Store {
  const folder = mkdtempSync(join(tmpdir(), "musette-e2e-"));
  const store = new Store(folder);
  if (copyOf) cpSync(copyOf, folder, { recursive: true });
  else store.make();
  return store;
}

/** Runs the real program on a free port until `use` is finished. */
export async function serve(
  store: Store,
  args: readonly string[],
  use: (musette: Musette) => Promise<void>,
): Promise<void> {
  const server = spawn(
    program,
    [
      "serve",
      ...["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"],
      ...["--data", store.folder, ...args],
    ],
    { env, stdio: ["ignore", "pipe", "pipe"] },
  );
  let log = "";
  server.stderr.on("data", (data) => {
    log += data;
  });
  const ended = once(server, "exit");
  try {
    const first = once(createInterface(server.stdout), "line");
    const line = await Promise.race([first, ended.then(() => Promise.reject(new Error(log)))]);
    const url = /http:\S+/.exec(String(line))?.[0];
    if (!url)
      throw new Error(`Expected the address of the server, but the program printed "${line}"`);
    const metrics = async () => {
      const address = /metrics are served.*?(127\.0\.0\.1:\d+)/.exec(log)?.[1];
      return await (await fetch(`http://${address}/metrics`)).text();
    };
    await use(Object.assign(store, { url, metrics }));
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(store.folder, { recursive: true, force: true });
  }
}
