import type { Page } from "@playwright/test";
import { expect, test } from "../setup/test";
import { everyScreen, look } from "./every-screen";

const MIN_TARGET_PX = 44;

/** By how much the page can be scrolled sideways. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });

/** What can be tapped and is smaller than a fingertip; links inside a sentence are exempt. */
const small = (page: Page) =>
  page.evaluate((min) => {
    const open = document.querySelector("dialog[open]") ?? document.body;
    const targets = open.querySelectorAll<HTMLElement>("button, select, nav a, a.mu-button, label");
    return [...targets].flatMap((it) => {
      const { width, height } = it.getBoundingClientRect();
      const hidden = width <= 1 || !it.checkVisibility({ visibilityProperty: true });
      // A row's label spans the row by its pseudo-element, and an agreement's by its own padding.
      const row = it.closest("li")?.getBoundingClientRect().height ?? 0;
      if (hidden || (it.matches("label") && row >= min)) return [];
      // A label is as tall a target as the control that it holds.
      if (it.matches("select") && it.closest("label")) return [];
      // A text field's label stands over the field, which is what one taps.
      const field = it instanceof HTMLLabelElement ? it.control : null;
      if (field?.matches("input:not([type=checkbox], [type=radio])")) {
        return field.getBoundingClientRect().height < min ? [field.outerHTML.slice(0, 90)] : [];
      }
      return height < min || width < min ? [`${it.outerHTML.slice(0, 90)} ${width}×${height}`] : [];
    });
  }, MIN_TARGET_PX);

for (const [width, locale] of [
  [320, "en"],
  [320, "ar"],
  [320, "de"],
  [360, "en"],
  [360, "ar"],
  [768, "en"],
  [992, "ar"],
  [1200, "en"],
] as const) {
  test(`${width} px, ${locale}: nothing to scroll sideways, nothing too small to tap`, async ({
    page,
    musette,
    allow,
  }) => {
    test.setTimeout(60_000);
    allow(/status of (401|503)/);
    await page.setViewportSize({ width, height: 740 });
    await look(page, { locale, dark: false });
    const wide: string[] = [];
    const tiny: string[] = [];
    await everyScreen(page, musette, async (name) => {
      const by = await sideways(page);
      if (by > 0) wide.push(`${name} by ${by}`);
      for (const target of await small(page)) tiny.push(`${name}: ${target}`);
    });
    expect(wide).toEqual([]);
    expect(tiny).toEqual([]);
  });
}

test("with text at 200 % on a small phone nothing is lost", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/apply");
  await page.locator("[data-term='4']").waitFor();
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  expect(await sideways(page)).toBe(0);
  await page.locator("[data-term='4'] input").click();
  await expect(page.locator("[data-term='4'] input")).toBeChecked();
  await expect(page.locator(".mu-consent-footer button")).toBeInViewport();
});
