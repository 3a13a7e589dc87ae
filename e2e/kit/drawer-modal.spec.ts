import type { Page } from "@playwright/test";
import { expect, test } from "../setup/test";

test.use({ reducedMotion: "no-preference" });

const LEAVES_AFTER_MS = { drawer: 600, modal: 250 } as const;
/** The delay that a busy machine may add before a timer's effect is visible. */
const SLACK_MS = 1_500;

const opener = (page: Page, kind: string) => page.getByRole("button", { name: `Open ${kind}` });

/** Records with the page's clock when the dialog starts to close and when it leaves the page. */
async function watchLeaving(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const look = () => {
      const dialog = document.querySelector("dialog");
      const mark = dialog ? dialog.dataset.state === "closing" && "told" : "left";
      if (mark && !performance.getEntriesByName(mark).length) performance.mark(mark);
    };
    const watched = { subtree: true, childList: true, attributes: true };
    new MutationObserver(look).observe(document.body, watched);
  });
  return async () => {
    await page.locator("dialog").waitFor({ state: "detached" });
    return page.evaluate(() => performance.measure("leaving", "told", "left").duration);
  };
}

for (const kind of ["drawer", "modal"] as const) {
  test(`the ${kind} leaves ${LEAVES_AFTER_MS[kind]} ms after Escape, and restores the focus`, async ({
    page,
  }) => {
    await page.goto("/stage/?scene=kit");
    await opener(page, kind).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toHaveAttribute("data-state", "open");
    const leaving = await watchLeaving(page);
    await page.keyboard.press("Escape");
    const took = await leaving();
    // The observer sees the state change a few milliseconds after the timer started.
    expect(took).toBeGreaterThan(LEAVES_AFTER_MS[kind] - 30);
    expect(took).toBeLessThan(LEAVES_AFTER_MS[kind] + SLACK_MS);
    await expect(opener(page, kind)).toBeFocused();
  });

  test(`the ${kind} closes on its overlay, not on a press inside that ends outside`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 900, height: 700 });
    await page.goto("/stage/?scene=kit");
    await opener(page, kind).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toHaveAttribute("data-state", "open");
    const inside = dialog.getByRole("heading", { name: "Inside" });
    await expect.poll(async () => (await inside.boundingBox())?.x ?? -1).toBeGreaterThan(0);
    await inside.hover();
    await page.mouse.down();
    await page.mouse.move(880, 680);
    await page.mouse.up();
    await expect(dialog).toHaveAttribute("data-state", "open");
    await page.mouse.click(880, 680);
    await expect(dialog).toHaveCount(0);
    await expect(opener(page, kind)).toBeFocused();
  });

  test(`the focus stays in the ${kind} and wraps around`, async ({ page }) => {
    await page.goto("/stage/?scene=kit");
    await opener(page, kind).click();
    const dialog = page.getByRole("dialog");
    const [first, last] = [
      dialog.getByRole("button", { name: "First" }),
      dialog.getByRole("button", { name: "Last" }),
    ];
    await expect(first).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(last).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(first).toBeFocused();
    await last.click();
    await expect(dialog).toHaveCount(0);
  });
}

test("the drawer waits 100 ms and moves for 500 ms", async ({ page }) => {
  await page.goto("/stage/?scene=kit");
  await opener(page, "drawer").click();
  const panel = page.locator(".mu-dialog-panel");
  const times = await page.locator("dialog, .mu-dialog-panel").evaluateAll((found) =>
    found.map((animation) => {
      const { transitionDuration, transitionDelay } = getComputedStyle(animation);
      return `${transitionDuration} after ${transitionDelay}`;
    }),
  );
  expect(times.join(" | ")).toContain("0.5s");
  expect(times.join(" | ")).toContain("0.1s");
  await expect(panel).toBeVisible();
});

for (const [locale, side] of [
  ["en", "left"],
  ["ar", "right"],
] as const) {
  test(`in ${locale} the drawer is 300 px wide and at the ${side}`, async ({ page }) => {
    await page.setViewportSize({ width: 900, height: 700 });
    await page.goto(`/stage/?scene=kit&locale=${locale}`);
    await opener(page, "drawer").click();
    const panel = page.locator(".mu-dialog-panel");
    const box = async () => {
      const { x = 0, width = 0 } = (await panel.boundingBox()) ?? {};
      return [Math.round(x), Math.round(width)];
    };
    await expect.poll(box).toEqual([side === "left" ? 0 : 600, 300]);
  });
}

test("plays no animation with reduced motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/stage/?scene=kit&locale=en");
  await opener(page, "drawer").click();
  const moving = await page.getByRole("dialog").evaluate((dialog) => {
    const all = dialog.getAnimations({ subtree: true });
    return all.filter((animation) => animation.effect?.getComputedTiming().duration).length;
  });
  expect(moving).toBe(0);
});
