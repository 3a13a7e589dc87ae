import type { Page } from "@playwright/test";
import { overflowX, takePicture } from "../journeys/phones";
import { expect, test } from "../setup/test";
import { setLook } from "./every-screen";

/** WCAG 2.2, 1.4.10: 1280 by 1024 px at 400 %. */
const LOW = { width: 320, height: 256 };
const PHONE = { width: 360, height: 640 };

/** Runs in the page. Returns the focused element if it is covered or out of view (WCAG 2.4.11). */
function coveredFocus(): string | undefined {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, Math.max(top + height / 2, 0)];
  if (height > innerHeight) return undefined;
  const at = document.elementFromPoint(x, y);
  const isSeen =
    at &&
    (element.contains(at) || at.contains(element) || at.closest("label")?.control === element);
  return isSeen
    ? undefined
    : `${element.outerHTML.slice(0, 100)} under ${at?.outerHTML.slice(0, 100)}`;
}

/** Moves through all focusable elements, forwards or backwards, until it returns to the first. */
async function coveredStops(page: Page, key: "Tab" | "Shift+Tab"): Promise<string[]> {
  const results: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press(key);
    const what = await page.evaluate(coveredFocus);
    if (what) results.push(`${key} ${step}: ${what}`);
    const isRound = await page.evaluate(() => document.activeElement === document.body);
    if (isRound) break;
  }
  return results;
}

for (const [size, locale] of [
  [LOW, "en"],
  [LOW, "de"],
  [LOW, "ar"],
  [PHONE, "en"],
] as const) {
  test(`${size.width} × ${size.height}, ${locale}: nothing covers the focused element`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await setLook(page, { locale, dark: false });
    for (const [address, there] of [
      ["/apply", "[data-term='4']"],
      ["/", ".door select"],
      ["/sign-in", "input[name=identifier]"],
      ["/agreements", "main .mu-button"],
    ] as const) {
      await page.goto(address);
      await page.locator(there).first().waitFor();
      for (const key of ["Tab", "Shift+Tab"] as const) {
        expect(await coveredStops(page, key), address).toEqual([]);
      }
      expect(await overflowX(page)).toBe(0);
      await takePicture(page, `low${address.replace("/", "-")}`);
    }
  });
}

test("a document can be read in a low window", async ({ page }) => {
  await page.setViewportSize(LOW);
  await page.goto("/apply");
  await page.locator("[data-term='1'] .mu-icon-button").click();
  const dialog = page.locator("dialog[open]");
  await dialog.locator("[data-page='1'] img").waitFor();
  await takePicture(page, "low-viewer");
  // The document itself has at least a third of the window.
  const surface = await dialog.locator(".mu-viewer-surface").boundingBox();
  expect(surface?.height ?? 0).toBeGreaterThan(LOW.height / 3);
  expect(await overflowX(page)).toBe(0);
});

test.describe("on a phone that also shows another app", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 300 } });

  test("the text has at least a third of the window", async ({ page }) => {
    await page.goto("/apply");
    await page.locator("[data-term='1'] .mu-icon-button").tap();
    const dialog = page.locator("dialog[open]");
    await dialog.locator(".mu-viewer-reading").waitFor();
    await takePicture(page, "low-reading");
    const surface = await dialog.locator(".mu-viewer-surface").boundingBox();
    const tools = await dialog.locator(".mu-viewer-tools").boundingBox();
    expect((surface?.height ?? 0) - (tools?.height ?? 0)).toBeGreaterThan(300 / 3);
    expect(await overflowX(page)).toBe(0);
  });
});

test("an error and its button can be scrolled to in a low window", async ({ page, allow }) => {
  allow(/status of 503/);
  await page.setViewportSize(LOW);
  await page.route("**/terms/consents", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/apply");
  await page.locator("[data-term=all] input").click();
  await page.locator(".mu-consent-footer button").click();
  const notice = page.locator(".mu-consent-dock .mu-error");
  await expect(notice).toBeVisible();
  await takePicture(page, "low-failure");
  await page.locator("[data-term='4']").scrollIntoViewIfNeeded();
  await expect(page.locator("[data-term='4'] input")).toBeInViewport();
  const again = page.locator(".mu-consent-footer button");
  await again.scrollIntoViewIfNeeded();
  await expect(again).toBeInViewport({ ratio: 1 });
  await expect(notice.getByRole("button")).toHaveCount(0);
});

test("long words are hyphenated by the rules of their own language", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 740 });
  await setLook(page, { locale: "de", dark: false });
  await page.goto("/apply");
  const divided = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => [
        getComputedStyle(element).hyphens,
        element.closest("[lang]")?.getAttribute("lang"),
      ]);
  await page.locator("[data-term='1']").waitFor();
  expect(await divided(".mu-consent-lead")).toEqual(["auto", "de"]);
  expect(await divided(".mu-consent-body h1")).toEqual(["auto", "de"]);
  // The document exists in English only.
  expect(await divided("[data-term='1'] bdi")).toEqual(["auto", "en"]);
});
