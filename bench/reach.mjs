// Measures the consent screen on a cheap phone with a bad network (reach/phone.mjs), and compares it
// with the screens of other products and with pdf.js. Three kinds of visits are measured:
// - cold: the first visit
// - warm: the next visit, with a full HTTP cache and no service worker
// - returning: the next visit, with the service worker, through a line of the same latency and rate,
//   because the emulation of a slow page does not slow down its worker
// A document is tapped at once, and in another visit after three seconds on the list. Bytes,
// requests and processor time (of the main thread, not slowed down) do not depend on the load of
// the machine.
//   node bench/reach.mjs    writes bench/results/reach.md; fetches the peers into bench/peers
//   $CHROMIUM; $MUSETTE_BIN, the program; $BENCH_ROUNDS, 5; BENCH_OUT=- writes nothing; BENCH_PEERS=0 leaves the peers out

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { PHONE, slowDown, slowLine, visit } from "./reach/phone.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const LOOKING_MS = 3000;
const benchFolder = fileURLToPath(new URL(".", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "musette-reach-"));
const program = process.env.MUSETTE_BIN ?? "target/release/musette";
const server = spawn(program, ["serve", "--demo", "--listen", "127.0.0.1:0", "--data", folder], {
  env: { ...process.env, MUSETTE_TEST: "1", MUSETTE_LIMITS: "off" },
  stdio: ["ignore", "pipe", "ignore"],
});
const ended = once(server, "exit");

/**
 * Runs in the page. The demonstration has markets, and the measured screen comes after the choice
 * of a market.
 */
function chooseNoMarket() {
  localStorage.setItem("musette.market", "");
}

const ours = (url) => ({
  url: `${url}/apply`,
  selector: "[data-term='all'] input",
  before: chooseNoMarket,
});

/** Waits until the worker has cached the app and the terms, and controls this page. */
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

/** Returns the milliseconds from the tap to the second frame after the first page has appeared. */
async function untilDrawn(page, tapped, selector) {
  await tapped.tap();
  return page.evaluate(
    (drawn) =>
      new Promise((done) => {
        const from = performance.now();
        const look = () => {
          const element = globalThis.document.querySelector(drawn);
          const isThere =
            element?.tagName === "IMG" ? element.complete && element.naturalWidth > 0 : element;
          if (isThere) {
            requestAnimationFrame(() =>
              requestAnimationFrame(() => done(performance.now() - from)),
            );
          } else requestAnimationFrame(look);
        };
        look();
      }),
    selector,
  );
}

/** Opens the longest document of the list. */
const document = (page) =>
  untilDrawn(
    page,
    page.locator("[data-term]").nth(3).getByRole("button").first(),
    "dialog [data-page='1'] img",
  );

/** Makes the visits one after the other, each on a new phone. */
async function round(browser, url, line) {
  const screen = ours(url);
  const newContext = async (more) => {
    const context = await browser.newContext({ ...PHONE, ...more });
    // The peers render pages. A phone would begin with the text.
    await context.addInitScript(() => localStorage.setItem("mu-viewer-view", "pages"));
    return context;
  };
  const context = await newContext();
  const cold = await visit(context, screen);
  const opened = await document(cold.page);
  await cold.page.close();
  const warm = await visit(context, screen);
  await context.close();
  const patient = await newContext();
  const { page } = await visit(patient, screen);
  await page.waitForTimeout(LOOKING_MS);
  const later = await document(page);
  await patient.close();
  const quick = await newContext();
  const { seen: work } = await visit(quick, screen, null);
  await quick.close();
  const worker = await newContext({ serviceWorkers: "allow" });
  const behind = ours(line.url);
  const installing = await visit(worker, behind, { network: false });
  await kept(installing.page);
  // A phone that comes back after more than the minute for which the HTTP cache may answer for the
  // terms.
  const session = await worker.newCDPSession(installing.page);
  await session.send("Network.clearBrowserCache");
  await installing.page.close();
  line.slow = true;
  const returning = await visit(worker, behind, { network: false });
  await worker.close();
  line.slow = false;
  return {
    cold: cold.seen,
    warm: warm.seen,
    returning: returning.seen,
    work: work.work,
    opened,
    later,
  };
}

const SCREENS = [
  ["c15t", "c15t 2.2.1 in React 19, offline mode", "[data-testid=consent-banner-accept-button]"],
  ["cookieconsent", "vanilla-cookieconsent 3.1.0", "#cc-main [data-role=all]"],
];

/** Visits a peer's screen, measured like ours. */
async function roundOfPeer(browser, screen) {
  const context = await browser.newContext(PHONE);
  const cold = await visit(context, screen);
  await cold.page.close();
  const warm = await visit(context, screen);
  await context.close();
  const quick = await browser.newContext(PHONE);
  const { seen: work } = await visit(quick, screen, null);
  await quick.close();
  return { cold: cold.seen, warm: warm.seen, work: work.work };
}

/**
 * Uses the slow line, because the worker of pdf.js also loads through it. Its processor is not
 * slowed down.
 */
async function roundOfPdfJs(browser, line, isPatient) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await slowDown(await context.newCDPSession(page), { network: false });
  line.slow = true;
  await page.goto(`${line.url}/pdfjs/`);
  if (isPatient) await page.waitForTimeout(LOOKING_MS);
  const took = await untilDrawn(page, page.locator("button"), "canvas[data-drawn]");
  await context.close();
  line.slow = false;
  return took;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const s = (ms) => `${(ms / 1000).toFixed(2)} s`;
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const table = (head, rows) =>
  [head, head.map((_, at) => (at ? "--:" : "---")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

function report(rounds, peers, pdfjs) {
  const of = (pick, from = rounds) => median(from.map(pick));
  const all = (from, pick) =>
    from
      .map((visits) => pick(visits) / 1000)
      .map((seconds) => seconds.toFixed(2))
      .join(" ");
  const row = (name, limit, before, pick) => [name, limit, before, s(of(pick)), all(rounds, pick)];
  const main = table(
    ["", "limit", "at first: React, one chunk", `median of ${rounds.length}`, "each round, s"],
    [
      row("first text, cold", "", "5.3 s", (visits) => visits.cold.painted),
      row("usable, cold", "2.00 s", "5.8 s", (visits) => visits.cold.usable),
      row(
        "usable, warm, full HTTP cache, no worker",
        "0.50 s",
        "1.1 s",
        (visits) => visits.warm.usable,
      ),
      row("usable, returning, with the worker", "0.50 s", "", (visits) => visits.returning.usable),
      row("tapped at once to first page", "", "3.7 s", (visits) => visits.opened),
      row("tapped after 3 s to first page", "1.50 s", "3.7 s", (visits) => visits.later),
    ],
  );
  const counted = table(
    ["until usable, cold", "limit", "measured"],
    [
      ["script, compressed", "60 kB", kB(of((visits) => visits.cold.script))],
      ["all bytes, compressed", "", kB(of((visits) => visits.cold.bytes))],
      ["requests", "", of((visits) => visits.cold.requests)],
      ["layout shift", "0", of((visits) => visits.cold.shifted).toFixed(3)],
      ["main thread, not slowed down", "", `${of((visits) => visits.work.all).toFixed(0)} ms`],
      ["of which script", "", `${of((visits) => visits.work.script).toFixed(0)} ms`],
      ["of which style", "", `${of((visits) => visits.work.style).toFixed(0)} ms`],
      ["of which layout", "", `${of((visits) => visits.work.layout).toFixed(0)} ms`],
    ],
  );
  const step = (name, from, to) => [
    name,
    s(of((visits) => from(visits.cold))),
    s(of((visits) => to(visits.cold))),
  ];
  const steps = table(
    ["a cold visit", "from", "to"],
    [
      step(
        "request of the page to its first byte",
        () => 0,
        (visits) => visits.pageBegun,
      ),
      step(
        "first to last byte of the page",
        (visits) => visits.pageBegun,
        (visits) => visits.pageWhole,
      ),
      step(
        "request of the script to its first byte",
        (visits) => visits.scriptAsked,
        (visits) => visits.scriptBegun,
      ),
      step(
        "first to last byte of the script",
        (visits) => visits.scriptBegun,
        (visits) => visits.scriptWhole,
      ),
      step(
        "script runs until the list is usable",
        (visits) => visits.scriptWhole,
        (visits) => visits.usable,
      ),
    ],
  );
  const parts = [main, `## Cost\n\n${counted}`, `## Time by step\n\n${steps}`];
  if (!peers) return parts;
  const screen = (name, from) => [
    name,
    s(of((visits) => visits.cold.painted, from)),
    s(of((visits) => visits.cold.usable, from)),
    s(of((visits) => visits.warm.usable, from)),
    kB(of((visits) => visits.cold.script, from)),
    kB(of((visits) => visits.cold.bytes, from)),
    `${of((visits) => visits.work.all, from).toFixed(0)} ms`,
  ];
  const head = [
    "",
    "first text",
    "usable, cold",
    "usable, warm",
    "script",
    "all bytes",
    "main thread",
  ];
  const screens = table(head, [
    screen("the consent screen of Musette", rounds),
    ...peers.map(({ title, measured }) => screen(title, measured)),
  ]);
  const pages = table(
    ["the rider handbook, 30 pages, tap to first page", "at once", "after 3 s"],
    [
      ["Musette", s(of((visits) => visits.opened)), s(of((visits) => visits.later))],
      ["pdf.js 6.5.438, legacy build", s(median(pdfjs.opened)), s(median(pdfjs.later))],
    ],
  );
  const what = `The peers' pages contain only their screen: a title and two or three buttons, where ours lists the company's
terms. They are built by Vite and served with brotli; unchanging files are cached for a year. The worker of pdf.js is not slowed down.`;
  return [...parts, `## Compared with other products\n\n${what}\n\n${screens}\n\n${pages}`];
}

async function measure() {
  const firstLine = String(await once(createInterface(server.stdout), "line"));
  const url = /http:\S+/.exec(firstLine)[0];
  const line = await slowLine(url);
  const { servePeers } = await import("./reach/peers.mjs");
  const peers = process.env.BENCH_PEERS === "0" ? undefined : await servePeers();
  const theirLine = peers && (await slowLine(peers.url));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  const rounds = [];
  const others = SCREENS.map(([name, title, selector]) => ({
    name,
    title,
    selector,
    measured: [],
  }));
  const pdfjs = { opened: [], later: [] };
  try {
    for (let at = 0; at < ROUNDS; at += 1) {
      rounds.push(await round(browser, url, line));
      if (!peers) continue;
      for (const { name, selector, measured } of others) {
        measured.push(await roundOfPeer(browser, { url: `${peers.url}/${name}/`, selector }));
      }
      pdfjs.opened.push(await roundOfPdfJs(browser, theirLine, false));
      pdfjs.later.push(await roundOfPdfJs(browser, theirLine, true));
    }
  } finally {
    await browser.close();
    for (const one of [line, theirLine, peers]) one?.close();
  }
  return report(rounds, peers && others, pdfjs);
}

const INTRODUCTION = `# The consent screen on a cheap phone and a bad network

    node bench/reach.mjs

Chromium at 360 px, processor 4 times slower, 400 kbit/s, 400 ms latency; the screens alternately.
`;

try {
  const begin =
    process.env.BENCH_OUT === "-" ? "" : String(execFileSync(join(benchFolder, "begin")));
  const parts = await measure();
  const load = loadavg().map((one) => one.toFixed(1));
  const end = `Load average at the end: ${load.join(", ")}`;
  const text = `${[INTRODUCTION, begin.trim(), ...parts, end].filter(Boolean).join("\n\n")}\n`;
  console.log(text);
  if (begin) writeFileSync(join(benchFolder, "results/reach.md"), text);
} finally {
  server.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
