// Runs the programs of docs/decisions.md, unchanged, against a server that loses an answer.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Program } from "../program/program.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;
const GUIDE = readFileSync(`${ROOT}docs/decisions.md`, "utf8");

function block(language) {
  const [, code] = new RegExp(`\n\`\`\`${language}\n([\\s\\S]*?)\n\`\`\`\n`).exec(GUIDE) ?? [];
  assert(code, `docs/decisions.md has no block of ${language}`);
  return `${code}\n`;
}

/** Returns commands that start the programs, which are written out exactly as in the document. */
function commands() {
  const dir = `${ROOT}target/integration`;
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/roster.mjs`, block("js"));
  writeFileSync(`${dir}/roster.py`, block("python"));
  return {
    Node: [process.execPath, `${dir}/roster.mjs`],
    Python: [process.env.PYTHON ?? "python3", `${dir}/roster.py`],
  };
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** Forwards to the server. It closes the connection of the first request instead of answering it. */
async function lossyProxy(url) {
  let lost = 0;
  const proxy = createServer(async (request, response) => {
    const { method, headers, url: path } = request;
    const body = await bodyOf(request);
    const forwarded = { ...headers };
    for (const name of ["host", "connection", "content-length", "transfer-encoding"]) {
      delete forwarded[name];
    }
    const answer = await fetch(url + path, {
      method,
      headers: forwarded,
      ...(body.length > 0 && { body }),
    });
    const text = Buffer.from(await answer.arrayBuffer());
    lost += 1;
    if (lost === 1) return request.socket.destroy();
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") });
    response.end(text);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { proxy, url: `http://127.0.0.1:${proxy.address().port}`, requests: () => lost };
}

/** Returns exit code and lines of a program that gets these shifts. */
async function run([program, ...args], env, shifts) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(shifts.map((shift) => `${JSON.stringify(shift)}\n`).join(""));
  const output = [];
  child.stdout.on("data", (part) => output.push(part));
  const [code] = await once(child, "close");
  return { code, lines: Buffer.concat(output).toString().trim().split("\n") };
}

const shift = (name, i, user = `rider-${name}`) => ({
  user_id: user,
  reference: `${name}-${i}`,
  starts_at: "2026-11-20T17:00:00Z",
  ends_at: "2026-11-20T21:00:00Z",
  planned_minutes: 240,
  worked_minutes: 228,
  late_by_seconds: i === 0 ? 720 : 0,
});

async function get(program, path, token) {
  const answer = await fetch(program.url + path, { headers: { authorization: `Bearer ${token}` } });
  assert(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}

async function scenario(program, admin, command, name) {
  program.run("user", "add", "--id", `rider-${name}`, "--role", "rider");
  const { key } = JSON.parse(
    program.run("service-key", "create", "--name", name, "--role", "dispatcher"),
  );
  // More than one batch.
  const shifts = Array.from({ length: 260 }, (_, i) => shift(name, i));
  const { proxy, url, requests } = await lossyProxy(program.url);
  try {
    const env = { MUSETTE_URL: url, MUSETTE_KEY: key };
    const first = await run(command, env, shifts);
    assert.deepEqual(first, { code: 0, lines: shifts.map((it) => `${it.reference} recorded`) });
    assert.equal(requests(), 3, "two batches, one of them twice");
    const path = `/api/admin/v1/evaluations?user_id=rider-${name}&limit=200`;
    const page = await get(program, path, admin);
    const rest = await get(program, `${path}&after=${encodeURIComponent(page.next)}`, admin);
    const all = [...page.items, ...rest.items];
    assert.equal(all.length, 260, "nothing was recorded twice");
    assert(all.every((it) => it.status === "EVALUATED" && it.version === 2));
    const late = all.find((it) => it.subject.reference === `${name}-0`);
    assert.deepEqual(late.reasons, [{ code: "late", text: { en: "Started 12 minutes late" } }]);
    assert.equal(late.figures.late_by_seconds, 720);

    // The same file with one new shift, and one of an unknown rider.
    const more = [shift(name, 0), shift(name, 260), shift(name, 261, "nobody")];
    const second = await run(command, env, more);
    assert.deepEqual(second, {
      code: 1,
      lines: [
        `${name}-0 recorded before`,
        `${name}-260 recorded`,
        `${name}-261 rejected unknown_user`,
      ],
    });
    const refused = await run(command, { ...env, MUSETTE_KEY: "wrong" }, [shift(name, 0)]);
    assert.equal(refused.code, 1, "a wrong key");
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}

const program = new Program();
try {
  program.run("user", "add", "--id", "admin", "--role", "admin");
  await program.serve();
  const admin = JSON.parse(program.run("token", "issue", "--user", "admin")).dhhToken;
  for (const [name, command] of Object.entries(commands())) {
    await scenario(program, admin, command, name.toLowerCase());
    console.log(`${name}: the program of docs/decisions.md works`);
  }
} finally {
  await program.remove();
}
