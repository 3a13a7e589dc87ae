import { expect, test } from "../setup/test";
import { AGREEMENT, consentScreen, HANDBOOK, MARKETING } from "./screen";

const none = [false, false, false, false, false];
const every = [true, true, true, true, true];

test("agree-all has three states, with the mouse", async ({ page }) => {
  await page.goto("/stage/");
  const { all, box, ticks } = consentScreen(page);
  await expect(all).not.toBeChecked();
  await all.click();
  await expect(all).toBeChecked();
  await expect.poll(ticks).toEqual(every);

  await box(MARKETING).click();
  await expect(all).toBeChecked({ indeterminate: true });
  await expect(all).toHaveAttribute("aria-checked", "mixed");
  await box(MARKETING).click();
  await expect.poll(ticks).toEqual(every);

  await all.click();
  await expect.poll(ticks).toEqual(none);
});

test("agree-all has three states, with the keyboard only", async ({ page }) => {
  await page.goto("/stage/");
  const { all, box, ticks, accept } = consentScreen(page);
  await expect(all).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(all).toBeFocused();
  await page.keyboard.press("Space");
  await expect.poll(ticks).toEqual(every);

  // Past the icon that opens all documents, to the first term.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(box(AGREEMENT)).toBeFocused();
  await page.keyboard.press("Space");
  await expect(all).toBeChecked({ indeterminate: true });
  await expect(accept).toBeDisabled();

  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  await expect.poll(ticks).toEqual(every);
  await page.keyboard.press("Space");
  await expect.poll(ticks).toEqual(none);
});

for (const [partialClick, after] of [
  ["tick", every],
  ["untick", none],
] as const) {
  test(`a click in the partial state, partialClick ${partialClick}`, async ({ page }) => {
    await page.goto(`/stage/?partialClick=${partialClick}`);
    const { all, box, ticks } = consentScreen(page);
    await box(HANDBOOK).click();
    await expect(all).toHaveAttribute("aria-checked", "mixed");
    await all.click();
    await expect.poll(ticks).toEqual(after);
    await box(HANDBOOK).focus();
    await all.focus();
    await page.keyboard.press("Space");
    await expect.poll(ticks).toEqual(partialClick === "tick" ? none : every);
  });
}

test("a tap on a term's row ticks it, and a tap on its icon opens the document", async ({
  page,
}) => {
  await page.goto("/stage/");
  const { box, open, screen } = consentScreen(page);
  const row = screen.locator("li").filter({ hasText: HANDBOOK });
  const size = await row.boundingBox();
  expect(size?.height).toBeGreaterThanOrEqual(44);
  await row.click({ position: { x: 150, y: (size?.height ?? 0) - 4 } });
  await expect(box(HANDBOOK)).toBeChecked();
  await open(HANDBOOK).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(box(HANDBOOK)).toBeChecked();
});
