// Measures the consent screen on a cheap phone with a bad network: 360 px, processor 4 times slower, 400 kbit/s,
// 400 ms latency. Cold is a first visit, warm the next one with a full HTTP cache and no service worker, returning the
// next one with the service worker, through a line of the same latency and rate: a worker is not slowed by the
// emulation of its page. A document is tapped at once, and in another visit after three seconds of looking at the list.
// Bytes, requests and processor time (of the main thread, not slowed down) do not depend on the load of the machine.
//   node bench/reach.mjs        (Chromium in $CHROMIUM, the program in $MUSETTE_BIN)

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const BYTES_PER_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const SLOWER = 4;
const LOOKING_MS = 3000;
const LIMITS_MS = { cold: 2000, warm: 500, document: 1500 };

const folder = mkdtempSync(join(tmpdir(), "musette-reach-"));
const program = process.env.MUSETTE_BIN ?? "target/release/musette";
const server = spawn(program, ["serve", "--demo", "--listen", "127.0.0.1:0", "--data", folder], {
  env: { ...process.env, MUSETTE_TEST: "1", MUSETTE_LIMITS: "off" },
  stdio: ["ignore", "pipe", "ignore"],
});
const ended = once(server, "exit");

/** Runs in the page: when the first element that matches can be used, and how much has moved by then. */
function watch(selector) {
  globalThis.usable = new Promise((done) => {
    const look = () => {
      const found = document.querySelector(selector);
      if (found && !found.disabled) {
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
      } else requestAnimationFrame(look);
    };
    look();
  });
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shifted += value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** Runs in the page: the demo has markets, and the screen that is measured comes after they were asked about. */
function chooseNoMarket() {
  localStorage.setItem("musette.market", "");
}

/** A line that delays and paces, while it is `slow`, all that the server sends, to pages and to workers. */
async function slowLine(url) {
  const server = new URL(url);
  let free = 0;
  let port;
  const own = { url: "", slow: false, close: () => line.close() };
  const line = createServer((phone) => {
    const there = connect(Number(server.port), server.hostname);
    for (const end of [phone, there]) end.setNoDelay(true).on("error", () => end.destroy());
    phone.on("data", (part) => {
      // The server answers under its own name only.
      const asked = part.toString("latin1").replaceAll(`127.0.0.1:${port}`, server.host);
      there.write(asked, "latin1");
    });
    phone.on("close", () => there.destroy());
    there.on("data", (part) => {
      if (!own.slow) return void phone.write(part);
      free = Math.max(Date.now() + LATENCY_MS, free) + (part.length / BYTES_PER_SECOND) * 1000;
      setTimeout(() => phone.write(part), free - Date.now());
    });
    there.on("close", () => setTimeout(() => phone.end(), Math.max(0, free - Date.now()) + 50));
  });
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  port = line.address().port;
  own.url = `http://127.0.0.1:${port}`;
  return own;
}

async function slowDown(session, { network }) {
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  if (!network) return;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
}

/** Opens the consent screen, and says when it was usable and what it took. */
async function visit(context, url, slower = { network: true }) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  if (slower) await slowDown(session, slower);
  else await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(chooseNoMarket);
  await page.addInitScript(watch, "[data-term='all'] input");
  await page.goto(`${url}/apply`, { waitUntil: "commit" });
  const seen = await page.evaluate(async () => {
    const at = await globalThis.usable;
    const [own] = performance.getEntriesByType("navigation");
    const before = performance.getEntriesByType("resource").filter((one) => one.responseEnd <= at);
    const sum = (all) => all.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
    return {
      usable: at,
      painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? at,
      shifted: globalThis.shifted,
      script: sum(before.filter(({ name }) => name.endsWith(".js"))),
      bytes: sum([own, ...before]),
      requests: before.length + 1,
    };
  });
  if (slower) return { page, seen };
  const { metrics } = await session.send("Performance.getMetrics");
  const work = metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  return { page, seen: { ...seen, work } };
}

/** Until the worker has kept the app and the terms, and answers for this page. */
async function kept(page) {
  const isKept = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const terms = names.includes("musette-public-terms")
        ? await (await caches.open("musette-public-terms")).keys()
        : [];
      return terms.length > 0 && Boolean(navigator.serviceWorker.controller);
    });
  while (!(await isKept())) await page.waitForTimeout(200);
}

/** Milliseconds from the tap on the longest document to the second frame after its first page has come. */
async function document(page) {
  await page.locator("[data-term]").nth(3).getByRole("button").first().tap();
  return page.evaluate(
    () =>
      new Promise((done) => {
        const from = performance.now();
        const look = () => {
          const drawn = globalThis.document.querySelector("dialog [data-page='1'] img");
          if (drawn?.complete && drawn.naturalWidth > 0) {
            requestAnimationFrame(() =>
              requestAnimationFrame(() => done(performance.now() - from)),
            );
          } else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const seconds = (ms) => (ms / 1000).toFixed(2);

try {
  const said = String(await once(createInterface(server.stdout), "line"));
  const url = /http:\S+/.exec(said)[0];
  const line = await slowLine(url);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const newContext = (more) =>
      browser.newContext({
        viewport: { width: 360, height: 640 },
        deviceScaleFactor: 2,
        hasTouch: true,
        isMobile: true,
        locale: process.env.BENCH_LOCALE ?? "en-GB",
        // What the HTTP cache does is measured, also where the app has a service worker.
        serviceWorkers: "block",
        ...more,
      });
    const context = await newContext();
    const cold = await visit(context, url);
    const opened = await document(cold.page);
    await cold.page.close();
    const warm = await visit(context, url);
    await context.close();
    const patient = await newContext();
    const { page } = await visit(patient, url);
    await page.waitForTimeout(LOOKING_MS);
    const later = await document(page);
    await patient.close();
    const quick = await newContext();
    const { seen: work } = await visit(quick, url, null);
    await quick.close();
    const worker = await newContext({ serviceWorkers: "allow" });
    const installing = await visit(worker, line.url, { network: false });
    await kept(installing.page);
    // A phone comes back after more than the minute for which the HTTP cache may answer for the terms.
    const session = await worker.newCDPSession(installing.page);
    await session.send("Network.clearBrowserCache");
    await installing.page.close();
    line.slow = true;
    const returning = await visit(worker, line.url, { network: false });
    await worker.close();
    line.slow = false;
    const both = { warm: warm.seen, returning: returning.seen };
    rounds.push({ cold: cold.seen, ...both, opened, later, work });
  }
  await browser.close();
  line.close();
  const of = (pick) => median(rounds.map(pick));
  const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(`| median of ${ROUNDS} | measured | limit |\n|---|--:|--:|`);
  console.log(`| first words, cold | ${seconds(of((it) => it.cold.painted))} s | |`);
  const usable = (visit) => seconds(of((it) => it[visit].usable));
  console.log(`| usable, cold | ${usable("cold")} s | ${seconds(LIMITS_MS.cold)} s |`);
  console.log(`| usable, warm | ${usable("warm")} s | ${seconds(LIMITS_MS.warm)} s |`);
  console.log(`| usable, returning | ${usable("returning")} s | ${seconds(LIMITS_MS.warm)} s |`);
  const limit = seconds(LIMITS_MS.document);
  console.log(`| tapped at once to first page | ${seconds(of((it) => it.opened))} s | |`);
  console.log(
    `| tapped after 3 s to first page | ${seconds(of((it) => it.later))} s | ${limit} s |`,
  );
  console.log(`| script until usable, compressed | ${kB(of((it) => it.cold.script))} | 60 kB |`);
  console.log(`| all bytes until usable, compressed | ${kB(of((it) => it.cold.bytes))} | |`);
  console.log(`| processor time until usable | ${seconds(of((it) => it.work.work))} s | |`);
  console.log(`| requests until usable | ${of((it) => it.cold.requests)} | |`);
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(`| load of the machine over 1, 5 and 15 minutes | ${load.join(", ")} | |`);
  console.log(`| layout shift | ${of((it) => it.cold.shifted).toFixed(3)} | 0 |`);
} finally {
  server.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
