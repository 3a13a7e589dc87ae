import type { Page } from "@playwright/test";
import { configuration, expect, getFlag, type Host, signIn, test } from "./host";

const open = (host: Host, count: number) =>
  Promise.all(Array.from({ length: count }, () => host.open()));

const shown = (page: Page) =>
  page.evaluate(() => flags.client.peek("quest-cards")?.result.variation);

test("five tabs make one request, and all have the values", async ({ host }) => {
  const pages = await open(host, 5);
  await Promise.all(pages.map((page) => signIn(page, "r1")));
  const results = await Promise.all(pages.map((page) => getFlag(page, "quest-cards", false)));
  expect(results.map(({ variation }) => variation)).toEqual(pages.map(() => true));
  expect(host.asked.length).toBe(1);
});

test("a change arrives through the stream in every tab, with one request", async ({ host }) => {
  const streams: string[] = [];
  host.context.on("request", (request) => {
    if (/v3\/stream\?/.test(request.url())) streams.push(request.url());
  });
  const pages = await open(host, 3);
  await Promise.all(pages.map((page) => signIn(page, "r1", true)));
  await Promise.all(pages.map((page) => getFlag(page, "quest-cards", false)));
  await expect.poll(() => streams.length).toBe(1);
  // The stream is open once its first bytes arrive, which the page cannot observe.
  await pages[0]?.waitForTimeout(500);
  const before = host.asked.length;
  host.musette.importFlags(configuration({ questCards: false }));
  const sinceMs = Date.now();
  for (const page of pages) await expect.poll(() => shown(page), { intervals: [50] }).toBe(false);
  // Another process made the change, which the server detects every second. Without the stream, a
  // tab would fetch only after a minute.
  expect(Date.now() - sinceMs).toBeLessThan(10_000);
  expect(host.asked.length - before).toBe(1);
  expect(streams.length).toBe(1);
});

test("another tab takes over when the tab with the stream is closed", async ({ host }) => {
  const [first, second] = await open(host, 2);
  if (!first || !second) throw new Error("two tabs");
  await signIn(first, "r1", true);
  await expect.poll(() => shown(first)).toBe(true);
  await signIn(second, "r1", true);
  const stream = host.context.waitForEvent("request", (request) =>
    /v3\/stream\?/.test(request.url()),
  );
  await first.close();
  await stream;
  await second.waitForTimeout(500);
  host.musette.importFlags(configuration({ questCards: false }));
  await expect.poll(() => shown(second), { intervals: [50] }).toBe(false);
});
