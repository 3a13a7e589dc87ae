import type { Page } from "@playwright/test";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { controls, measureInk } from "./ink";

const SURFACE = { light: "#ffffff", dark: "#1a2233" } as const;

/** Returns the colour of the browser's own bar: the first element whose condition is true. */
const themeColour = (page: Page) =>
  page.evaluate(() => {
    const all = document.querySelectorAll<HTMLMetaElement>("meta[name='theme-color']");
    return [...all].find(({ media }) => !media || matchMedia(media).matches)?.content;
  });

const barColour = (page: Page) =>
  page.locator(".top-bar").evaluate((bar) => {
    const [r = 0, g = 0, b = 0] =
      getComputedStyle(bar).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
    return `#${[r, g, b].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
  });

for (const device of ["light", "dark"] as const) {
  test(`on a ${device} device the browser's bar has the chosen colour`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: device });
    await page.goto("/");
    const change = page.locator(".switches .icon-button");
    for (const chosen of [device, "light", "dark", device] as const) {
      await expect.poll(() => themeColour(page)).toBe(SURFACE[chosen]);
      expect(await barColour(page)).toBe(SURFACE[chosen]);
      await change.click();
    }
    // The choices form a cycle, and the choice survives the page.
    await change.click();
    await page.reload();
    await expect.poll(() => themeColour(page)).toBe(SURFACE.dark);
  });
}

for (const chosen of ["light", "dark"] as const) {
  test(`the browser draws ${chosen} controls on a device with the other scheme`, async ({
    page,
    musette,
  }) => {
    await page.emulateMedia({ colorScheme: chosen === "dark" ? "light" : "dark" });
    await page.addInitScript((value) => localStorage.setItem("musette.appearance", value), chosen);
    const isRight = async (what: RegExp) => {
      const boxes = (await controls(page)).filter((box) => what.test(box.what));
      expect(boxes.length).toBeGreaterThan(0);
      for (const { middle, what } of await measureInk(page, boxes)) {
        if (chosen === "dark") expect(middle, what).toBeLessThan(0.2);
        else expect(middle, what).toBeGreaterThan(0.7);
      }
    };
    // The middle of an empty checkbox, and of an empty field.
    await page.goto("/apply");
    await page.locator("[data-term='4']").waitFor();
    await isRight(/mu-checkbox/);
    await page.goto("/sign-in");
    await page.locator("input[name=identifier]").waitFor();
    await isRight(/name="identifier"/);
    await signIn(page, musette, "demo-rider-1");
    await page.goto("/terms");
    await page.locator("[data-term='4']").waitFor();
    await isRight(/mu-checkbox/);
  });
}
