// Measures the time from the tap on a document to its first painted page, on a phone's screen with 4 times CPU
// throttling: as text, with which phones begin, with our page images, and in the same run with pdf.js on the same
// documents.
//   node bench/viewer.mjs        (Chromium in $CHROMIUM, the program in $MUSETTE_BIN)
// Chromium does not throttle workers, so pdf.js looks better here than on a real phone.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium, devices } from "@playwright/test";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SLOWER = 4;
const LIMIT_MS = 600;
/** The label of the row, the language, and the term of the demonstration. */
const DOCUMENTS = [
  ["privacy notice, 4 pages", "en-GB", 7],
  ["rider handbook, 30 pages", "en-GB", 3],
  ["privacy notice, Arabic", "ar-EG", 7],
  ["rider handbook, Arabic", "ar-EG", 3],
];

const folder = mkdtempSync(join(tmpdir(), "musette-viewer-"));
const program = process.env.MUSETTE_BIN ?? "target/release/musette";
const server = spawn(program, ["serve", "--demo", "--listen", "127.0.0.1:0", "--data", folder], {
  env: { ...process.env, MUSETTE_TEST: "1", MUSETTE_LIMITS: "off" },
  stdio: ["ignore", "pipe", "ignore"],
});
const ended = once(server, "exit");

/**
 * Returns the milliseconds from the tap to the second frame after the first page has appeared as
 * text, as an image or by pdf.js.
 */
async function firstPage(browser, url, locale, term, what) {
  const context = await browser.newContext({ ...devices["Pixel 5"], locale });
  const page = await context.newPage();
  if (what === "image")
    await page.addInitScript(() => localStorage.setItem("mu-viewer-view", "pages"));
  if (what === "pdf.js") {
    await page.route("**/public/terms*", async (route) => {
      const answer = await route.fetch();
      const terms = await answer.json();
      for (const term of terms) term.content = term.content.replace("/documents/", "/elsewhere/");
      await route.fulfill({ response: answer, json: terms });
    });
    await page.route("**/elsewhere/*.pdf", async (route) => {
      const answer = await route.fetch({
        url: route.request().url().replace("elsewhere", "documents"),
      });
      await route.fulfill({ response: answer });
    });
  }
  await page.goto(`${url}/apply?market=IE.port-merrow`);
  const row = page.locator(`[data-term="${term}"]`);
  const open = row.getByRole("button");
  await open.waitFor();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.evaluate(() => {
    addEventListener(
      "click",
      () => {
        globalThis.tapped = Date.now();
      },
      { capture: true, once: true },
    );
  });
  await open.tap();
  const painted = (selector) =>
    new Promise((done) => {
      const look = () => {
        const drawn = document.querySelector(selector);
        const ready =
          drawn &&
          (drawn instanceof HTMLImageElement ? drawn.complete && drawn.naturalWidth > 0 : true) &&
          (drawn instanceof HTMLCanvasElement ? drawn.width > 1 : true);
        if (ready) requestAnimationFrame(() => requestAnimationFrame(() => done(Date.now())));
        else requestAnimationFrame(look);
      };
      look();
    });
  let at;
  if (what === "pdf.js") {
    const handle = await page.locator("iframe").elementHandle();
    const frame = await handle.contentFrame();
    at = await frame.evaluate(painted, "canvas");
  } else {
    const drawn = { image: ".mu-viewer-pages [data-page='1'] img", text: ".mu-viewer-reading h2" };
    at = await page.evaluate(painted, drawn[what]);
  }
  const tapped = await page.evaluate(() => globalThis.tapped);
  await context.close();
  return at - tapped;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

try {
  const line = String(await once(createInterface(server.stdout), "line"));
  const url = /http:\S+/.exec(line)[0];
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
    ],
  });
  console.log(
    `### Tap to first page painted, processor ${SLOWER} times slower (limit ${LIMIT_MS} ms)\n`,
  );
  console.log(
    "| document | text, median ms | image, median ms | pdf.js, median ms | pdf.js by image |",
  );
  console.log("|---|--:|--:|--:|--:|");
  for (const [name, locale, term] of DOCUMENTS) {
    const times = { text: [], image: [], "pdf.js": [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [what, all] of Object.entries(times))
        all.push(await firstPage(browser, url, locale, term, what));
    }
    const [text, image, theirs] = Object.values(times).map(median);
    console.log(`| ${name} | ${text} | ${image} | ${theirs} | ${(theirs / image).toFixed(1)}× |`);
  }
  await browser.close();
} finally {
  server.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
