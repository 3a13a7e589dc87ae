import { join } from "node:path";
import type { Page } from "@playwright/test";
import { setLook } from "../screens/every-screen";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { overflowX, takePicture } from "./phones";

const choice = (page: Page, code: string) => page.locator(`[data-market="${code}"]`);
const row = (page: Page, id: number) => page.locator(`[data-term="${id}"]`);

test.beforeEach(({ musette }) => {
  for (const code of ["IE.ashwick-hollow", "IE.port-merrow", "UY.dunmarsh"]) {
    musette.addMarket(code);
  }
});

/** Publishes a text for Dunmarsh only, as in the demonstration. */
const causeway = (musette: Musette) =>
  musette.publish(
    join(prepared, "marketing.pdf"),
    "FREELANCER",
    "Causeway rules",
    ...["--mandatory", "--order", "6", "--market", "UY.dunmarsh"],
  );

test("an applicant chooses a market, changes it, and agrees to its terms", async ({
  page,
  musette,
}) => {
  const { id } = causeway(musette);
  await page.goto("/apply");
  await expect(choice(page, "UY.dunmarsh")).toHaveText("Dunmarsh, Uruguay");
  await expect(page.locator("[data-market]")).toHaveCount(4);
  await page.getByRole("searchbox").fill("port mer");
  await expect(page.locator("[data-market]")).toHaveCount(2);
  await choice(page, "IE.port-merrow").click();
  await expect(row(page, 1)).toBeVisible();
  await expect(row(page, id)).toHaveCount(0);

  await page.reload();
  await expect(page.locator(".mu-markets-chosen")).toContainText("Port Merrow, Ireland");
  await page.locator(".mu-markets-chosen button").click();
  await choice(page, "UY.dunmarsh").click();
  await expect(row(page, id)).toBeVisible();
  await page.locator("[data-term=all] input").click();
  await page.locator(".mu-consent-footer button").click();
  await expect(page.locator(".receipt code")).toBeVisible();
  expect(musette.decisions().map((decision) => decision.market)).toContain("UY.dunmarsh");

  // The next applicant on this phone is asked for the market again.
  await page.goto("/apply");
  await expect(choice(page, "UY.dunmarsh")).toBeVisible();
});

test("the terms of a place far down the list begin at their heading", async ({ page, musette }) => {
  causeway(musette);
  await page.setViewportSize({ width: 360, height: 640 });
  for (let number = 10; number < 24; number++) musette.addMarket(`UY.zone-${number}`);
  await page.goto("/apply");
  await choice(page, "UY.zone-23").scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await choice(page, "UY.zone-23").click();
  await expect(row(page, 1)).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  // The same on the way back to the list.
  await page.locator(".mu-markets-chosen button").click();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("the ticks stay when an applicant looks at the list of places and goes back", async ({
  page,
  musette,
}) => {
  causeway(musette);
  await page.goto("/apply");
  await choice(page, "UY.dunmarsh").click();
  await row(page, 2).locator("input").click();
  await page.locator(".mu-markets-chosen button").click();
  await expect(row(page, 2)).toBeHidden();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(row(page, 2).locator("input")).toBeChecked();
});

test("a link contains the market, which is named and can be changed", async ({ page, musette }) => {
  const { id } = causeway(musette);
  await page.goto("/apply?market=UY.dunmarsh");
  await expect(row(page, id)).toBeVisible();
  await expect(page.locator(".mu-markets-chosen")).toContainText("Dunmarsh, Uruguay");
  await page.locator(".mu-markets-chosen button").click();
  await choice(page, "IE.port-merrow").click();
  await expect(row(page, 1)).toBeVisible();
  await expect(row(page, id)).toHaveCount(0);
});

test("a link with an unknown market offers the list", async ({ page, musette }) => {
  causeway(musette);
  await page.goto("/apply?market=UY.nowhere");
  await expect(page.getByText("The place in the link is not known here.")).toBeVisible();
  await choice(page, "UY.dunmarsh").click();
  await expect(row(page, 1)).toBeVisible();
});

for (const [width, locale] of [
  [320, "en"],
  [320, "ar"],
  [360, "de"],
  [360, "ar"],
] as const) {
  test(`the list on ${width} px: ${locale}`, async ({ page, musette }) => {
    causeway(musette);
    await page.setViewportSize({ width, height: 640 });
    await setLook(page, { locale, dark: false });
    await page.goto("/apply");
    await expect(choice(page, "UY.dunmarsh")).toBeVisible();
    expect(await overflowX(page)).toBe(0);
    await takePicture(page, "market-list");
    await choice(page, "UY.dunmarsh").click();
    await expect(page.locator(".mu-markets-chosen")).toBeVisible();
    expect(await overflowX(page)).toBe(0);
    await takePicture(page, "market-chosen");
  });
}
