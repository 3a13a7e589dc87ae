// Runs the backends of docs/integration.md against the program: each keeps its copy of the gate, refuses a shift
// with 428, and verifies webhooks.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Program } from "../program/program.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;
const WITHIN_MS = 60_000;

/** Returns the code blocks of this language in the document. */
function blocks(language) {
  const text = readFileSync(`${ROOT}docs/integration.md`, "utf8");
  const all = text.matchAll(new RegExp(`\n\`\`\`${language}\n([\\s\\S]*?)\n\`\`\`\n`, "g"));
  const examples = [...all].map(([, code]) => `${code}\n`);
  assert(examples.length > 0, `docs/integration.md has no block of ${language}`);
  return examples;
}

const block = (language) => blocks(language)[0];

/** Returns commands that start the backends, which are written out exactly as in the document. */
function backends() {
  const dir = `${ROOT}target/integration`;
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/backend.mjs`, block("js"));
  writeFileSync(`${dir}/backend.py`, block("python"));
  const example = readFileSync(`${ROOT}crates/server/examples/backend.rs`, "utf8");
  const code = example.slice(example.indexOf("\nuse ") + 1);
  assert.equal(
    block("rust"),
    code,
    "crates/server/examples/backend.rs differs from the Rust block in docs/integration.md",
  );
  const built = process.env.CARGO_TARGET_DIR ?? `${ROOT}target`;
  return {
    Node: [process.execPath, `${dir}/backend.mjs`],
    Python: [process.env.PYTHON, `${dir}/backend.py`],
    Rust: [`${built}/debug/examples/backend`],
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function eventually(what, is) {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; await sleep(50)) {
    if (await is()) return;
  }
  assert.fail(`not true after ${WITHIN_MS} ms: ${what}`);
}

class Backend {
  printed = [];

  constructor(command, port, env) {
    this.url = `http://127.0.0.1:${port}`;
    const [program, ...args] = command;
    this.child = spawn(program, args, {
      env: { PATH: process.env.PATH, PORT: String(port), ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: this.child.stdout }).on("line", (line) => this.printed.push(line));
  }

  async post(path, body = "", headers = {}) {
    const response = fetch(this.url + path, { method: "POST", body, headers });
    return response.then(
      (answer) => answer.status,
      () => undefined,
    );
  }

  start(rider) {
    return this.post(`/shifts/${rider}`);
  }

  /** The port is free afterwards. */
  async stop() {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}

/** Returns what Musette would send, signed according to Standard Webhooks. */
function signed(secret, body, at = Date.now()) {
  const [id, seconds] = ["msg_test", String(Math.floor(at / 1000))];
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${signature}`,
  };
}

async function call(program, method, path, token, body) {
  const answer = await fetch(program.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  assert(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.status === 204 ? undefined : answer.json();
}

const tokenOf = (program, id) => JSON.parse(program.run("token", "issue", "--user", id)).dhhToken;

async function scenario(program, term, admin, command, name) {
  const [port, rider] = [await freePort(), `rider-${name}`];
  const hooks = "/api/admin/v1/webhooks";
  const hook = await call(program, "POST", hooks, admin, {
    url: `http://127.0.0.1:${port}/webhooks/musette`,
    types: ["consent.recorded"],
  });
  const { key } = JSON.parse(
    program.run("service-key", "create", "--name", name, "--role", "viewer"),
  );
  const env = { MUSETTE_URL: program.url, MUSETTE_KEY: key, WEBHOOK_SECRET: hook.secret };
  let backend = new Backend(command, port, env);
  try {
    await eventually("the copy is complete", async () => (await backend.start("nobody")) === 428);
    program.run("user", "add", "--id", rider, "--role", "rider");
    assert.equal(await backend.start(rider), 428);
    const consent = {
      consents: [
        {
          terms_and_conditions_id: term,
          accepted: true,
          consented_at: new Date().toISOString(),
        },
      ],
    };
    await call(program, "POST", "/api/rooster/v3/terms/consents", tokenOf(program, rider), {
      user_id: rider,
      user_type: "RIDER",
      ...consent,
    });
    await eventually("the rider may start", async () => (await backend.start(rider)) === 201);
    const count = () =>
      backend.printed.filter((line) => line.startsWith("consent.recorded ")).length;
    await eventually("a webhook was verified", () => count() === 1);

    const body = JSON.stringify({ type: "consent.recorded", id: "forged" });
    const to = (text, headers) => backend.post("/webhooks/musette", text, headers);
    assert.equal(await to(body, signed(hook.secret, body)), 204);
    assert.equal(await to(`${body} `, signed(hook.secret, body)), 400, "a changed body");
    const old = signed(hook.secret, body, Date.now() - 3_600_000);
    assert.equal(await to(body, old), 400, "an old message");
    const wrong = `whsec_${Buffer.alloc(24).toString("base64")}`;
    assert.equal(await to(body, signed(wrong, body)), 400, "signed with another secret");
    assert.equal(await to(body, {}), 400, "unsigned");
    assert.ok([400, 428].includes(await backend.start("%ZZ")), "an invalid path");
    const garbled = { ...signed(hook.secret, body), "webhook-signature": "garbage" };
    assert.equal(await to(body, garbled), 400, "an invalid signature");

    const rotated = await call(program, "POST", `${hooks}/${hook.id}/rotate-secret`, admin);
    const deliveries = await call(program, "GET", `${hooks}/${hook.id}/deliveries`, admin);
    const again = `${hooks}/${hook.id}/deliveries/${deliveries.items[0].id}/resend`;
    const verified = count();
    await call(program, "POST", again, admin);
    await eventually("the former secret is still accepted", () => count() > verified);
    await backend.stop();
    backend = new Backend(command, port, { ...env, WEBHOOK_SECRET: rotated.secret });
    await eventually("the backend runs again", async () => (await backend.start(rider)) === 201);
    await call(program, "POST", again, admin);
    await eventually("the new secret is accepted", () => count() > 0);

    await call(program, "DELETE", `/api/admin/v1/people/${rider}`, admin, { confirm: rider });
    await eventually(
      "the erased rider is removed",
      async () => (await backend.start(rider)) === 428,
    );
  } finally {
    await backend.stop();
    await call(program, "DELETE", `${hooks}/${hook.id}`, admin);
  }
}

/**
 * Runs the commands of *Set up*, as a developer types them on an empty machine. Only the ports
 * differ.
 */
async function setUp([program, ...args]) {
  const home = mkdtempSync(join(tmpdir(), "musette-integration."));
  const [port, own] = [await freePort(), await freePort()];
  const [first, second] = blocks("sh").map((lines) =>
    lines.replaceAll("8080", port).replaceAll("3000", own),
  );
  const built = process.env.CARGO_TARGET_DIR ?? `${ROOT}target`;
  cpSync(`${ROOT}testdata/documents/english.pdf`, `${home}/terms.pdf`);
  const script = `set -e
trap 'kill $(jobs -p)' EXIT
${first}
"$@" >&2 &
until curl -sS -o answer -w '%{http_code}' -X POST http://127.0.0.1:${own}/shifts/nobody 2>/dev/null | grep -q 428
do sleep 0.1; done
${second}`;
  const shell = spawn("bash", ["-c", script, "bash", program, ...args], {
    cwd: home,
    env: { HOME: home, PATH: `${built}/debug:${process.env.PATH}` },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: WITHIN_MS,
  });
  const lines = [];
  createInterface({ input: shell.stdout }).on("line", (line) => lines.push(line));
  const [status] = await once(shell, "close");
  rmSync(home, { recursive: true, force: true });
  assert.equal(status, 0, lines.join("\n"));
  assert.equal(lines.at(-1), "428", lines.join("\n"));
  assert(
    lines.some((line) => line.includes("/console/sign-in#")),
    lines.join("\n"),
  );
}

const program = new Program();
try {
  program.run("user", "add", "--id", "admin", "--role", "admin");
  const text = `${program.dir}/terms.pdf`;
  writeFileSync(text, readFileSync(`${ROOT}testdata/documents/english.pdf`));
  await program.serve({ options: ["--webhook-allow", "127.0.0.0/8"] });
  const admin = tokenOf(program, "admin");
  const published = program.run(
    "terms",
    "publish",
    text,
    "--type",
    "FREELANCER",
    "--title",
    "Terms",
    "--mandatory",
  );
  const term = JSON.parse(published).id;
  const all = backends();
  await setUp(all.Node);
  console.log("The lines of docs/integration.md set up an empty machine");
  for (const [name, command] of Object.entries(all)) {
    await scenario(program, term, admin, command, name.toLowerCase());
    console.log(`${name}: the backend of docs/integration.md works`);
  }
} finally {
  await program.remove();
}
