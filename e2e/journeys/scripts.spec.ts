import type { Page } from "@playwright/test";
import { loseAFifth, network } from "../setup/network";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { overflowX } from "./phones";
import { open, phone, reopenApp, retryUntilVisible, textsOf, waitUntilCached } from "./pocket";

/** Latin, Arabic, Thai and Bengali. */
const SCRIPTS = [
  { locale: "en", width: 360, seed: 4 },
  { locale: "ar", width: 320, seed: 5 },
  { locale: "th", width: 360, seed: 6 },
  { locale: "bn", width: 320, seed: 7 },
] as const;

const all = (page: Page) => page.locator("[data-term=all] input");
const send = (page: Page) => page.locator(".mu-consent-footer button");
const alert = (page: Page) => page.locator(".mu-consent-dock [role=alert]");
const switches = (page: Page) => page.getByRole("switch");

/** Returns how many submissions are stored on this phone. */
const waiting = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open("musette-terms", 1);
    const database = await new Promise<IDBDatabase>((found, failed) => {
      opening.onupgradeneeded = () =>
        opening.result.createObjectStore("pending", { keyPath: "key" });
      opening.onsuccess = () => found(opening.result);
      opening.onerror = () => failed(opening.error);
    });
    const counting = database.transaction("pending").objectStore("pending").count();
    const count = await new Promise<number>((found) => {
      counting.onsuccess = () => found(counting.result);
    });
    database.close();
    return count;
  });

for (const ms of [0, 40, 120]) {
  test(`closed ${ms} ms after the press: either recorded, or nothing is claimed`, async ({
    browser,
    musette,
  }) => {
    const { context, page: first } = await phone(browser, musette.url);
    await first.goto("/");
    await signIn(first, musette, "demo-rider-1");
    await first.goto("/terms");
    await expect(all(first)).toBeVisible();
    await waitUntilCached(first);
    for (const id of [1, 2, 3, 4]) await first.locator(`[data-term="${id}"] input`).click();
    await context.setOffline(true);
    await send(first).evaluate((button) => (button as HTMLButtonElement).click());
    await first.waitForTimeout(ms);
    await first.close();

    const page = await open(context);
    await page.goto("/");
    const isKept = (await waiting(page)) === 1;
    const standing = page.locator(isKept ? "[data-standing=pending]" : "[data-standing=failed]");
    await expect(standing).toBeVisible();
    expect(musette.decisions()).toHaveLength(0);
    await page.goto("/terms");
    await expect(
      page.locator(`.mu-consent[data-state=${isKept ? "unanswered" : "ready"}]`),
    ).toBeVisible();
    if (!isKept) {
      for (const id of [1, 2, 3, 4])
        await expect(page.locator(`[data-term="${id}"] input`)).not.toBeChecked();
      await expect(alert(page)).toHaveCount(0);
    }

    await context.setOffline(false);
    await page.goto("/");
    if (isKept) await expect.poll(() => musette.decisions().length).toBe(4);
    await expect(page.locator(`[data-standing=${isKept ? "done" : "now"}]`)).toBeVisible();
    expect(musette.decisions()).toHaveLength(isKept ? 4 : 0);
    await context.close();
  });
}

for (const { locale, width, seed } of SCRIPTS) {
  test(`without a network, closed at each step, on a line that loses a fifth: ${locale}`, async ({
    browser,
    musette,
  }) => {
    test.setTimeout(600_000);
    // The requirement is a latency of 2000 ms. Each of a few hundred requests then takes that long.
    const line = await network(musette.url);
    line.latencyMs = Number(process.env.MUSETTE_LATENCY_MS ?? 100);
    const { context, page: first } = await phone(browser, line.url, locale, width);
    const recorded = () => musette.decisions().length;
    let page = first;

    /** Checks each statement on the screen against the recorded decisions. */
    async function expectTrueClaims(): Promise<void> {
      const count = recorded();
      if (count === 0) {
        await expect(page.locator(".receipt code")).toHaveCount(0);
        await expect(page.locator("[data-standing=done]")).toHaveCount(0);
      }
      expect(await overflowX(page)).toBe(0);
    }

    /** Closes the app and opens it without a network; then closes it and opens it with one. */
    async function reopenTwice(path: string): Promise<void> {
      await context.setOffline(true);
      page = await reopenApp(page, path, locale);
      await expect(page.locator("#content")).toBeVisible();
      await expect(page.locator(".suspended")).toBeVisible();
      await expectTrueClaims();
      await context.setOffline(false);
      page = await reopenApp(page, path, locale);
    }

    await page.goto("/");
    await signIn(page, musette, "demo-rider-1");
    await page.goto("/terms");
    await expect(all(page)).toBeVisible();
    await waitUntilCached(page);
    line.fate = loseAFifth(seed);

    await reopenTwice("/terms");
    await retryUntilVisible(page, all(page), locale);
    await expectTrueClaims();

    const consent = textsOf(locale, "consent");
    await all(page).click();
    await expect(page.locator('[data-term="4"] input')).toBeChecked();
    await context.setOffline(true);
    await send(page).click();
    const notice = alert(page);
    // Closed as soon as it says that the submission is stored.
    await expect(notice).toContainText(consent["consent.submitFailed.unsent"] as string);
    expect(await waiting(page)).toBe(1);
    await expectTrueClaims();
    page = await reopenApp(page, "/", locale);
    await expect(page.locator("[data-standing=pending]")).toContainText(
      textsOf(locale, "rider")["status.unsent"] as string,
    );
    expect(recorded()).toBe(0);
    await context.setOffline(false);
    await expect(async () => {
      page = await reopenApp(page, "/", locale);
      await expect.poll(recorded, { timeout: 8_000 }).toBe(4);
    }).toPass({ timeout: 150_000 });

    await reopenTwice("/");
    await expect(async () => {
      page = await reopenApp(page, "/", locale);
      await expect(page.locator("[data-standing=done]")).toBeVisible({ timeout: 15_000 });
    }).toPass({ timeout: 150_000 });

    // Withdrawn without a network, closed, and sent on return.
    page = await reopenApp(page, "/agreements", locale);
    await retryUntilVisible(page, switches(page).first(), locale);
    await context.setOffline(true);
    await switches(page).first().click();
    page = await reopenApp(page, "/agreements", locale);
    await expect(page.locator("#content")).toBeVisible();
    expect(recorded()).toBe(4);
    await context.setOffline(false);
    await expect(async () => {
      page = await reopenApp(page, "/agreements", locale);
      await expect.poll(recorded, { timeout: 8_000 }).toBe(5);
    }).toPass({ timeout: 150_000 });
    await reopenTwice("/agreements");

    const rows = musette.decisions();
    expect(rows.map((row) => row.terms_and_conditions_id).sort()).toEqual([1, 2, 3, 4, 4]);
    expect(rows.map((row) => row.user_id)).toEqual(Array(5).fill("demo-rider-1"));
    expect(rows.at(-1)).toMatchObject({ terms_and_conditions_id: 4, accepted: false });
    expect(new Set(rows.map((row) => row.receipt_id)).size).toBe(2);
    await context.close();
    await line.close();
  });
}
