import type { Browser, BrowserContext, Page } from "@playwright/test";
import { setLook } from "../screens/every-screen";
import type { Musette } from "../setup/musette";

export interface Phone {
  readonly locale: "en" | "ar";
  readonly width: number;
}

/** The narrow phones that each of these journeys must work on. */
export const PHONES: readonly Phone[] = [
  { locale: "en", width: 360 },
  { locale: "ar", width: 320 },
];

export const height = 720;

/** Opens another phone, which has no data of the first one. */
export async function anotherPhone(
  browser: Browser,
  musette: Musette,
  { locale, width }: Phone,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    baseURL: musette.url,
    viewport: { width, height },
    hasTouch: true,
    reducedMotion: "reduce",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  await setLook(page, { locale, dark: false });
  return { context, page };
}

/**
 * Applies, and returns the receipt's number. Finds elements by structure, because it works in every
 * language.
 */
export async function apply(page: Page, leaveOut: readonly number[] = []): Promise<string> {
  await page.goto("/apply");
  await page.locator("[data-term=all] input").click();
  for (const id of leaveOut) await page.locator(`[data-term="${id}"] input`).click();
  await page.locator(".mu-consent-footer button").click();
  return page.locator(".receipt code").innerText();
}

export async function signInByCode(page: Page, email: string): Promise<void> {
  await page.locator("input[name=identifier]").fill(email);
  await page.locator(".sign-in-form [type=submit]").click();
  const code = await page.locator(".demo-code code").textContent();
  await page.locator("input[name=code]").fill(String(code));
}

/** Returns how far the page can be scrolled sideways. */
export const overflowX = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });

/**
 * Sets the view of documents that a person chose earlier on this device. Call it before the first
 * page.
 */
export const chooseView = (page: Page, view: "pages" | "reading") =>
  page.addInitScript((chosen) => localStorage.setItem("mu-viewer-view", chosen), view);

/** Takes pictures for inspection if `MUSETTE_SEE=DIR` is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSETTE_SEE;
  if (!folder) return;
  const { width = 0 } = page.viewportSize() ?? {};
  const lang = await page.locator("html").getAttribute("lang");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const path = `${folder}/${name}-${lang}-${width}-${scheme}.png`;
    await page.screenshot({ path, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
}
