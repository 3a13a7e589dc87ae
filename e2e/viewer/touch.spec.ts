import type { CDPSession, Page } from "@playwright/test";
import { consentScreen, HANDBOOK } from "../consent/screen";
import { chooseView } from "../journeys/phones";
import { expect, test } from "../setup/test";

test.use({ hasTouch: true });

const picture = (page: Page) => page.locator("[data-page='1'] img");
const width = async (page: Page) => Math.round((await picture(page).boundingBox())?.width ?? 0);

test.beforeEach(async ({ page }) => {
  await chooseView(page, "pages");
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).tap();
  await expect(picture(page)).toBeVisible();
});

/** Moves two fingers around a point, with the distances of the steps. */
async function pinch(device: CDPSession, steps: readonly number[]): Promise<void> {
  const at = (apart: number) => [
    { x: 195 - apart / 2, y: 300, id: 1 },
    { x: 195 + apart / 2, y: 300, id: 2 },
  ];
  for (const [index, apart] of steps.entries()) {
    const type = index === 0 ? "touchStart" : "touchMove";
    await device.send("Input.dispatchTouchEvent", { type, touchPoints: at(apart) });
  }
  await device.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

test("two fingers zoom, and the point between them stays between them", async ({ page }) => {
  const device = await page.context().newCDPSession(page);
  const fitting = await width(page);
  await pinch(device, [80, 100, 130, 160]);
  await expect.poll(() => width(page)).toBe(fitting * 2);
  const { x = 0 } = (await picture(page).boundingBox()) ?? {};
  // The middle of the page was under the fingers, and the fingers were in the middle of the screen.
  expect(Math.abs(x + fitting - 195)).toBeLessThan(4);
  await pinch(device, [160, 100, 40]);
  await expect.poll(() => width(page)).toBe(fitting);
});

test("a double tap zooms in and out again", async ({ page }) => {
  const fitting = await width(page);
  const device = await page.context().newCDPSession(page);
  // With explicit timestamps: on a busy machine the second tap may come too late for a double tap.
  const twice = async () => {
    const startS = Date.now() / 1000;
    for (const [type, afterS] of [
      ["touchStart", 0],
      ["touchEnd", 0.04],
      ["touchStart", 0.12],
      ["touchEnd", 0.16],
    ] as const) {
      const touchPoints = type === "touchStart" ? [{ x: 195, y: 300, id: 1 }] : [];
      const timestamp = startS + afterS;
      await device.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp });
    }
  };
  await twice();
  await expect.poll(() => width(page)).toBe(fitting * 2);
  await twice();
  await expect.poll(() => width(page)).toBe(fitting);
});
