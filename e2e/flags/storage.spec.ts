import { expect, getFlag, SUBSCRIBED, signIn, test, waitUntilStored } from "./host";

const HOUR_MS = 3_600_000;

test("cold start: one request for all subscribed flags, and the value", async ({ host }) => {
  const page = await host.open();
  await signIn(page, "r1");
  expect(await getFlag(page, "quest-cards", false)).toMatchObject({ variation: true });
  expect(await getFlag(page, "held", true)).toMatchObject({
    explanation: { kind: /HOLDOUT|DEFAULT/ },
  });
  expect(host.asked.length).toBe(1);
});

test("the tables of the database contain no name of a person", async ({ host }) => {
  const page = await host.open();
  await signIn(page, "rider-5417");
  await getFlag(page, "quest-cards", false);
  const tables = await page.evaluate(async () => {
    const open = indexedDB.open("musette-flags");
    await new Promise((resolve) => {
      open.onsuccess = resolve;
    });
    const names = [...open.result.objectStoreNames];
    const all = names.map((name) => {
      const request = open.result.transaction(name).objectStore(name).getAll();
      return new Promise<unknown[]>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    });
    return Object.fromEntries((await Promise.all(all)).map((rows, at) => [names[at], rows]));
  });
  expect(Object.keys(tables)).toEqual(["fwf-flags-db", "fwf-keys-db", "version_flags"]);
  expect(tables["fwf-flags-db"]?.length).toBe(SUBSCRIBED.length);
  expect(tables.version_flags).toEqual([expect.objectContaining({ version: 1 })]);
  expect(JSON.stringify(tables)).not.toContain("rider-5417");
});

test("warm start, the server down for a week: the last values, marked as stale", async ({
  host,
}) => {
  const first = await host.open();
  await signIn(first, "r1");
  await getFlag(first, "quest-cards", false);
  await waitUntilStored(first);
  await first.close();
  await host.down("abort");
  await host.context.clock.setSystemTime(Date.now() + 7 * 24 * HOUR_MS);
  const page = await host.open();
  await signIn(page, "r1");
  const result = await getFlag(page, "quest-cards", false);
  expect(result.variation).toBe(true);
  expect(result.tookMs).toBeLessThan(8_000);
  const age = await page.evaluate((at) => Date.now() - Date.parse(at ?? ""), result.dateCached);
  expect(age).toBeGreaterThan(6 * 24 * HOUR_MS);
  expect(await page.evaluate(() => flags.client.peek("quest-cards")?.status)).toBe("cached");
});

test("an unknown person, the server not answering: fallbacks within 3 s", async ({ host }) => {
  await host.down("hang");
  const page = await host.open();
  await signIn(page, "r9");
  const result = await getFlag(page, "quest-cards", false);
  expect(result).toMatchObject({
    variation: false,
    explanation: { kind: "FALLBACK", from: "client:timeout" },
  });
  // The timer's 3 s, plus the delay of a busy machine. Without the timer, it would never resolve.
  expect(result.tookMs).toBeLessThan(8_000);
});

test("the clock set back an hour: shown, fetched once, and no request storm", async ({ host }) => {
  const first = await host.open();
  await signIn(first, "r1");
  await getFlag(first, "quest-cards", false);
  await waitUntilStored(first);
  await first.close();
  await host.context.clock.setSystemTime(Date.now() - HOUR_MS);
  const page = await host.open();
  await signIn(page, "r1");
  expect((await getFlag(page, "quest-cards", false)).variation).toBe(true);
  await page.waitForTimeout(1_000);
  expect(host.asked.length).toBe(2);
});

test("storage full: flags from memory, and still counted", async ({ host }) => {
  const page = await host.open();
  const session = await host.context.newCDPSession(page);
  const origin = new URL(host.musette.url).origin;
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  await page.evaluate(() => {
    let size = 1 << 20;
    while (size > 0) {
      try {
        localStorage.setItem(`junk${size}${Math.random()}`, "x".repeat(size));
      } catch {
        size >>= 1;
      }
    }
  });
  await signIn(page, "r1");
  expect((await getFlag(page, "quest-cards", false)).variation).toBe(true);
  await getFlag(page, "checkin-v2", "");
  expect((await getFlag(page, "quest-cards", false)).tookMs).toBeLessThan(1_000);
  expect(host.asked.length).toBe(1);
  await expect.poll(host.counted, { timeout: 8_000 }).toBe(1);
});
