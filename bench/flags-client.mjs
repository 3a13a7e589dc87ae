// Measures the flag client: its bundle size compared with its peers, and the time to a value.
//   node bench/flags-client.mjs      (Chromium in $CHROMIUM; a folder with the peers in $BENCH_PEERS:
//   npm i unleash-proxy-client flagsmith @growthbook/growthbook configcat-js \
//         launchdarkly-js-client-sdk @statsig/js-client @openfeature/web-sdk @openfeature/ofrep-web-provider)
// This script serves the responses, since the network is not measured.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { build } from "vite";

/** CPU throttling factors; the limit of 10 ms applies to 4. */
const SLOWER = [4, 1];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30);
const CALLS = 200_000;
const FLAGS = Array.from({ length: 20 }, (_, at) => `flag-${at}`);
// Vite's helper for lazy chunks, which an application contains once. Not counted.
const HELPER = "preload-helper";
const root = fileURLToPath(new URL("../", import.meta.url));

/** Builds like a host application and like tools/size; returns the sizes loaded at once and later. */
async function bundle(code, from = root, name = "probe") {
  const id = `${from}${name}.js`;
  const { output } = await build({
    root: from,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["musette-source", "module", "browser", "production"] },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "probe",
        resolveId: (source) => (source === "virtual:probe" ? id : undefined),
        load: (file) => (file === id ? code : undefined),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: "virtual:probe",
        preserveEntrySignatures: "strict",
        output: {
          chunkFileNames: "[name].js",
          entryFileNames: "entry.js",
          codeSplitting: { groups: [{ name: HELPER, test: /preload-helper/ }] },
        },
      },
    },
  });
  return output.filter((file) => file.type === "chunk");
}

const kb = (bytes) => (bytes / 1024).toFixed(2);
const gz = (file) => gzipSync(file.code, { level: 9 }).length;

function weigh(files) {
  const chunks = files.filter(({ name }) => name !== HELPER);
  const byName = new Map(chunks.map((file) => [file.fileName, file]));
  const first = new Set();
  const need = (name) => {
    const file = byName.get(name);
    if (!file || first.has(file)) return;
    first.add(file);
    file.imports.forEach(need);
  };
  need("entry.js");
  const sum = (files) => files.reduce((bytes, file) => bytes + gz(file), 0);
  return { now: sum([...first]), later: sum(chunks.filter((file) => !first.has(file))) };
}

async function sizes() {
  console.log("### Bundles, minified, gzip -9, kB of 1024 bytes\n");
  console.log("| client | at once | later |\n|---|--:|--:|");
  const ours = weigh(await bundle('export { createFlagClient } from "@musette/client/flags";'));
  console.log(`| @musette/client/flags | ${kb(ours.now)} | ${kb(ours.later)} |`);
  const folder = process.env.BENCH_PEERS;
  const peers = [
    ["unleash-proxy-client", 'export { UnleashClient } from "unleash-proxy-client";'],
    ["flagsmith", 'export { default } from "flagsmith";'],
    ["@growthbook/growthbook", 'export { GrowthBook } from "@growthbook/growthbook";'],
    ["configcat-js", 'export { getClient } from "configcat-js";'],
    ["launchdarkly-js-client-sdk", 'export { initialize } from "launchdarkly-js-client-sdk";'],
    ["@statsig/js-client", 'export { StatsigClient } from "@statsig/js-client";'],
    [
      "@openfeature/web-sdk + ofrep-web-provider",
      'export { OpenFeature } from "@openfeature/web-sdk"; export { OFREPWebProvider } from "@openfeature/ofrep-web-provider";',
    ],
  ];
  for (const [name, code] of peers) {
    const version = (part) => {
      const file = `${folder}/node_modules/${part}/package.json`;
      return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
    };
    const installed = version(name.split(" ")[0]);
    if (!folder || !installed) continue;
    const { now, later } = weigh(await bundle(code, `${folder}/`));
    console.log(`| ${name} ${installed} | ${kb(now)} | ${kb(later)} |`);
  }
}

const result = (key) => ({
  variation: true,
  abTest: false,
  explanation: { kind: "RULE", from: "rule:r1" },
  relevantContext: ["userId", "country"],
  holdoutsEvaluations: [],
  variationKey: "on",
  version: 1,
  key,
});

// Has an icon, so that the browser requests none during the measurement.
const PAGE = '<!doctype html><link rel="icon" href="data:,">';
const chunks = await bundle(
  'import { createFlagClient } from "@musette/client/flags"; globalThis.createFlagClient = createFlagClient;',
  root,
  "page",
);
const server = createServer((request, answer) => {
  const file = chunks.find(({ fileName }) => request.url === `/${fileName}`);
  if (file) {
    answer.writeHead(200, { "Content-Type": "text/javascript", "Cache-Control": "max-age=3600" });
    return answer.end(file.code);
  }
  if (request.url?.startsWith("/api/flags/")) {
    answer.writeHead(200, { "Content-Type": "application/json", ETag: '"1"' });
    return answer.end(
      JSON.stringify({
        version: 1,
        flags: Object.fromEntries(FLAGS.map((key) => [key, result(key)])),
      }),
    );
  }
  answer.writeHead(200, { "Content-Type": "text/html" });
  if (request.url === "/empty") return answer.end(PAGE);
  return answer.end(`${PAGE}<script type="module" src="/entry.js"></script>`);
}).listen(0, "127.0.0.1");
await new Promise((listening) => server.once("listening", listening));
const url = `http://127.0.0.1:${server.address().port}/`;

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const show = (numbers) => {
  const all = sorted(numbers);
  return `${all[0].toFixed(2)} | ${all[all.length >> 1].toFixed(2)} | ${all[Math.floor(all.length * 0.95)].toFixed(2)}`;
};

/** Opens an empty page, or one of a host whose script is loaded and has not called the client yet. */
async function quietPage(context, path, rate) {
  const page = await context.newPage();
  await page.goto(`${url}${path}`);
  if (!path) await page.waitForFunction(() => "createFlagClient" in globalThis);
  // Let the browser finish its work after the page load before measuring.
  await new Promise((quiet) => setTimeout(quiet, 200));
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  return page;
}

/**
 * Measures a cold start as after a reload: nothing in memory, twenty flags on disk, and no function of the
 * client has run before, so the time includes compilation. From the call of `createFlagClient`, and from
 * the first call of IndexedDB, to the value.
 */
async function coldStart(context, rate, staysMs = 0) {
  const page = await quietPage(context, "", rate);
  const times = await page.evaluate(async (subscribe) => {
    const options = { token: "k", baseUrl: "/api/flags", subscribe, stream: false };
    const open = indexedDB.open.bind(indexedDB);
    let openMs;
    IDBFactory.prototype.open = (...database) => {
      openMs ??= performance.now();
      return open(...database);
    };
    const startMs = performance.now();
    const client = globalThis.createFlagClient(options);
    void client.setUser({ userId: "r1", country: "UY" });
    const { variation, dateCached } = await client.getFlag("flag-7", false);
    const endMs = performance.now();
    if (!variation || !dateCached) throw new Error("getFlag returned no value");
    const ageMs = Date.now() - Date.parse(dateCached);
    return { tookMs: endMs - startMs, fromDiskMs: endMs - openMs, ageMs };
  }, FLAGS);
  await new Promise((left) => setTimeout(left, staysMs));
  await page.close();
  return times;
}

/** The baseline without a client: the browser opens the database and reads the twenty rows. */
async function floor(context, rate) {
  const page = await quietPage(context, "empty", rate);
  const tookMs = await page.evaluate(async () => {
    const settled = (request) =>
      new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const startMs = performance.now();
    const database = await settled(indexedDB.open("musette-flags"));
    const table = database.transaction("fwf-flags-db").objectStore("fwf-flags-db");
    const rows = await settled(table.getAll());
    if (rows.length < 20) throw new Error("IndexedDB contains fewer than 20 rows");
    return performance.now() - startMs;
  });
  await page.close();
  return tookMs;
}

async function fromMemory(context) {
  const page = await quietPage(context, "", 1);
  const perCall = await page.evaluate(
    async ([subscribe, calls]) => {
      const client = globalThis.createFlagClient({ token: "k", subscribe, stream: false });
      await client.setUser({ userId: "r1", country: "UY" });
      await client.getFlag("flag-7", false);
      const rounds = [];
      for (let round = 0; round < 7; round += 1) {
        const startMs = performance.now();
        for (let call = 0; call < calls; call += 1) await client.getFlag("flag-7", false);
        rounds.push(((performance.now() - startMs) * 1000) / calls);
      }
      return rounds;
    },
    [FLAGS, CALLS],
  );
  await page.close();
  return perCall;
}

try {
  await sizes();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  const context = await browser.newContext();
  const first = await coldStart(context, SLOWER[0], 2_000);
  console.log("\n### How long a value takes\n");
  console.log("| | least | median | 95 % |\n|---|--:|--:|--:|");
  console.log(`| \`getFlag\` from memory, awaited, µs | ${show(await fromMemory(context))} |`);
  for (const rate of SLOWER) {
    const [cold, fromDisk, bare] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { tookMs, fromDiskMs, ageMs } = await coldStart(context, rate);
      if (ageMs < 500) throw new Error("the value did not come from the disk");
      cold.push(tookMs);
      fromDisk.push(fromDiskMs);
      bare.push(await floor(context, rate));
    }
    const slow = rate === 1 ? "as fast as the machine is" : `${rate} times slower`;
    console.log(
      `| cold start, \`createFlagClient\` to the first value, ${slow}, ms | ${show(cold)} |`,
    );
    console.log(`| of that, from the first call of IndexedDB on, ms | ${show(fromDisk)} |`);
    console.log(`| the browser alone: open the database, read the same rows, ms | ${show(bare)} |`);
  }
  console.log(
    `\nThe first visit, with the request, took ${first.tookMs.toFixed(0)} ms. Limits: 1 µs and 10 ms.`,
  );
  await browser.close();
} finally {
  server.close();
}
