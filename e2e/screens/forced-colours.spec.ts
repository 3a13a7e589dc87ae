import type { Locator, Page } from "@playwright/test";
import { takePicture } from "../journeys/phones";
import { expect, test } from "../setup/test";
import { everyScreen, setLook } from "./every-screen";
import { controls, measureInk } from "./ink";

/** A tick, a line of an icon or a letter has more pixels. */
const INK_PX = 12;

for (const [locale, dark] of [
  ["en", true],
  ["ar", false],
] as const) {
  test(`forced colours, ${dark ? "dark" : "light"}, ${locale}: every control of every screen is visible`, async ({
    page,
    musette,
    allow,
  }) => {
    test.setTimeout(120_000);
    allow(/status of (401|503)/);
    await page.setViewportSize({ width: 360, height: 740 });
    await setLook(page, { locale, dark });
    await page.emulateMedia({ forcedColors: "active" });
    const findings: string[] = [];
    await everyScreen(page, musette, async (screen) => {
      const boxes = await controls(page);
      for (const { what, pixels } of await measureInk(page, boxes)) {
        if (pixels < INK_PX) findings.push(`${screen}: nothing to be seen: ${what}`);
      }
      await takePicture(page, `forced-${screen}`);
    });
    expect(findings).toEqual([]);
  });
}

/** Whether two states of the same element look different. */
async function looksDifferent(at: Locator, change: () => Promise<unknown>): Promise<boolean> {
  const draw = () => at.screenshot({ animations: "disabled" });
  const before = await draw();
  await change();
  return !(await draw()).equals(before);
}

const still = (page: Page) => page.mouse.move(0, 0);

test("forced colours: each state of a tick, a switch and a tool looks different", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await setLook(page, { locale: "en", dark: true });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/apply");
  const row = (id: number | "all") => page.locator(`[data-term="${id}"]`);
  const accept = page.locator(".mu-consent-footer button");
  const tick = (id: number | "all") => async () => {
    await row(id).locator("input").click();
    await still(page);
  };
  // None, some, all.
  expect(await looksDifferent(row("all").locator("input"), tick(1))).toBe(true);
  expect(await looksDifferent(row("all").locator("input"), tick("all"))).toBe(true);
  // The disabled button, and the enabled one.
  expect(await looksDifferent(accept, tick("all"))).toBe(true);
  expect(await looksDifferent(row(1).locator("input"), tick(1))).toBe(true);

  // A spinner has a gap, without which its rotation would be invisible.
  await tick("all")();
  await page.route("**/terms/consents", () => {});
  await accept.click();
  const spinner = page.locator(".mu-spinner");
  await expect(spinner).toBeVisible();
  const turned = (degrees: number) => () =>
    spinner.evaluate((element, by) => {
      element.style.animation = "none";
      element.style.rotate = `${by}deg`;
    }, degrees);
  await turned(0)();
  expect(await looksDifferent(spinner, turned(120))).toBe(true);
});

test("forced colours: the current page and disabled controls are recognisable", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await setLook(page, { locale: "en", dark: false });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const current = page.locator(".nav-bottom a[href='/']");
  await expect(current).toHaveAttribute("aria-current", "page");
  expect(
    await looksDifferent(current, () =>
      current.evaluate((element) => element.removeAttribute("aria-current")),
    ),
  ).toBe(true);
  await page.goto("/apply");
  await page.locator("[data-term=all] .mu-icon-button").click();
  const dialog = page.locator("dialog[open]");
  await dialog.locator("[data-page='1'] img").waitFor();
  const previous = dialog.locator("[data-icon=previous]");
  await expect(previous).toHaveAttribute("aria-disabled", "true");
  const able = () => previous.evaluate((element) => element.removeAttribute("aria-disabled"));
  expect(await looksDifferent(previous, able)).toBe(true);
});
