import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Locator, Page } from "@playwright/test";
import { setLook } from "../screens/every-screen";
import { expect } from "../setup/test";

const DARK = { dark: false };

/** Creates a phone whose browser keeps what the worker caches. */
export async function phone(browser: Browser, url: string, locale = "en", width = 360) {
  const context = await browser.newContext({
    baseURL: url,
    serviceWorkers: "allow",
    viewport: { width, height: 720 },
    hasTouch: true,
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  return { context, page: await open(context, locale) };
}

export async function open(context: BrowserContext, locale = "en"): Promise<Page> {
  const page = await context.newPage();
  await setLook(page, { locale: locale as "en", ...DARK });
  return page;
}

/** Closes the app, as when the system needs its memory, and opens it again. */
export async function reopenApp(page: Page, path: string, locale = "en"): Promise<Page> {
  const context = page.context();
  const next = await open(context, locale);
  await page.close();
  await next.goto(path);
  return next;
}

/** Waits until the worker has cached the app and the terms. */
export async function waitUntilCached(page: Page): Promise<void> {
  const names = () =>
    page.evaluate(async () => {
      const all = await caches.keys();
      const pages = await Promise.all(
        all.map(async (name) => (await (await caches.open(name)).keys()).length > 0 && name),
      );
      const index = await caches.match("/index.html");
      return index ? pages.filter(Boolean) : [];
    });
  // About seventy files, six at a time: with a latency of 2 s they take half a minute.
  const isKept = async () => (await names()).includes("musette-public-terms");
  await expect.poll(isKept, { timeout: 120_000 }).toBe(true);
}

/** Reads the texts of a language file. */
export function textsOf(locale: string, of: "consent" | "rider"): Readonly<Record<string, string>> {
  const folder = of === "consent" ? "../../packages/react/src/texts" : "../../apps/rider/src/texts";
  return JSON.parse(readFileSync(new URL(`${folder}/${locale}.arb`, import.meta.url), "utf8"));
}

/** Presses the retry button of the screen until the goal is visible. */
export async function retryUntilVisible(page: Page, goal: Locator, locale = "en"): Promise<void> {
  const button = (key: string) =>
    page.getByRole("button", { name: textsOf(locale, "consent")[key] as string });
  const again = button("consent.tryAgain").or(button("consent.tryNow")).first();
  await expect(async () => {
    if (await goal.isVisible()) return;
    if (await again.isVisible()) await again.click();
    await expect(goal).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 150_000, intervals: [200] });
}
