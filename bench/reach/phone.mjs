// The cheap phone on a bad network: 360 px wide, processor 4 times slower, 400 kbit/s, 400 ms
// latency.

import { once } from "node:events";
import { connect, createServer } from "node:net";

const BYTES_PER_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const SLOWER = 4;

export const PHONE = {
  viewport: { width: 360, height: 640 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
  locale: process.env.BENCH_LOCALE ?? "en-GB",
  // The HTTP cache is measured, even if the app has a service worker.
  serviceWorkers: "block",
};

/**
 * Starts a proxy that, while it is `slow`, delays and paces everything that the server sends to
 * pages and workers.
 */
export async function slowLine(url) {
  const server = new URL(url);
  let free = 0;
  let port;
  const own = { url: "", slow: false, close: () => line.close() };
  const line = createServer((phone) => {
    const upstream = connect(Number(server.port), server.hostname);
    for (const end of [phone, upstream]) end.setNoDelay(true).on("error", () => end.destroy());
    phone.on("data", (part) => {
      // The server only answers requests with its own host name.
      const request = part.toString("latin1").replaceAll(`127.0.0.1:${port}`, server.host);
      upstream.write(request, "latin1");
    });
    phone.on("close", () => upstream.destroy());
    upstream.on("data", (part) => {
      if (!own.slow) return void phone.write(part);
      free = Math.max(Date.now() + LATENCY_MS, free) + (part.length / BYTES_PER_SECOND) * 1000;
      setTimeout(() => phone.write(part), free - Date.now());
    });
    upstream.on("close", () => setTimeout(() => phone.end(), Math.max(0, free - Date.now()) + 50));
  });
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  port = line.address().port;
  own.url = `http://127.0.0.1:${port}`;
  return own;
}

export async function slowDown(session, { network }) {
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

/**
 * Runs in the page. Records when the first matching element can be used, and how much the layout
 * has shifted by then.
 */
function watch(selector) {
  globalThis.usable = new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`${selector} did not appear within 60 s`)), 60_000);
    const look = () => {
      const element = document.querySelector(selector);
      if (element?.checkVisibility() && !element.disabled) {
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

/**
 * Opens a screen and returns when it was usable and what it cost. Without `slower`, it measures the
 * processor time.
 */
export async function visit(context, { url, selector, before }, slower = { network: true }) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  if (slower) await slowDown(session, slower);
  else await session.send("Performance.enable", { timeDomain: "threadTicks" });
  if (before) await page.addInitScript(before);
  await page.addInitScript(watch, selector);
  await page.goto(url, { waitUntil: "commit" });
  const measured = await page.evaluate(async () => {
    const at = await globalThis.usable;
    const [own] = performance.getEntriesByType("navigation");
    const all = performance.getEntriesByType("resource").filter((one) => one.responseEnd <= at);
    const sum = (of) => of.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
    const scripts = all.filter(({ name }) => /\.m?js$/.test(name));
    return {
      usable: at,
      painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? at,
      shifted: globalThis.shifted,
      script: sum(scripts),
      bytes: sum([own, ...all]),
      requests: all.length + 1,
      pageBegun: own.responseStart,
      pageWhole: own.responseEnd,
      scriptAsked: scripts[0]?.startTime,
      scriptBegun: scripts[0]?.responseStart,
      scriptWhole: scripts[0]?.responseEnd,
    };
  });
  if (slower) return { page, seen: measured };
  const { metrics } = await session.send("Performance.getMetrics");
  const ms = (of) => metrics.find(({ name }) => name === of).value * 1000;
  const work = {
    all: ms("TaskDuration"),
    script: ms("ScriptDuration"),
    style: ms("RecalcStyleDuration"),
    layout: ms("LayoutDuration"),
  };
  return { page, seen: { ...measured, work } };
}
