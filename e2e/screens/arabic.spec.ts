import type { Locator } from "@playwright/test";
import { expect, test } from "../setup/test";
import { setLook } from "./every-screen";

const middle = async (locator: Locator) => {
  const { x = 0, width = 0 } = (await locator.boundingBox()) ?? {};
  return x + width / 2;
};

test.beforeEach(({ page }) => setLook(page, { locale: "ar", dark: false }));

test("in Arabic everything runs from right to left", async ({ page }) => {
  await page.goto("/apply");
  const html = page.locator("html");
  await expect(html).toHaveAttribute("dir", "rtl");
  await expect(html).toHaveAttribute("lang", "ar");
  const row = page.locator("[data-term='1']");
  await expect(row).toContainText("اتفاقية العمل الحر");
  const box = await middle(row.locator("input"));
  const title = await middle(row.locator("bdi"));
  const icon = await middle(row.getByRole("button"));
  expect(box).toBeGreaterThan(title);
  expect(title).toBeGreaterThan(icon);
  // The back arrow points to the right, where the page before is.
  const back = page.locator(".mu-icon-button[data-icon=back]");
  const mirrored = await back.locator("svg").evaluate((element) => {
    const { transform, scale } = getComputedStyle(element);
    return `${transform} ${scale}`;
  });
  expect(mirrored).toContain("-1");
  expect(await middle(back)).toBeGreaterThan(180);
});

test("the viewer shows the Arabic document, its words in order from right to left", async ({
  page,
}) => {
  await page.goto("/apply");
  await page.locator("[data-term='all'] button").click();
  const dialog = page.locator("dialog[open]");
  await dialog.locator("[data-page='1'] img").waitFor();
  await expect(dialog.getByText("1 من 4")).toBeVisible();
  const [previous, next] = [
    dialog.getByRole("button", { name: "المستند السابق" }),
    dialog.getByRole("button", { name: "المستند التالي" }),
  ];
  expect(await middle(previous)).toBeGreaterThan(await middle(next));
  await expect(dialog.locator(".mu-viewer-line[dir=rtl]").first()).toBeAttached();
  await dialog.locator("[data-icon=text]").click();
  const heading = dialog.locator(".mu-viewer-reading").getByText("اتفاقية العمل الحر").first();
  await expect(heading).toBeVisible();
  await expect(heading).toHaveAttribute("dir", "rtl");
});

test("the language can be changed in the middle, and the ticks remain", async ({ page }) => {
  await page.goto("/apply");
  const box = page.locator("[data-term='2'] input");
  await box.click();
  await page.locator(".language-switch select").selectOption("en");
  await expect(page.locator("html")).toHaveAttribute("dir", "ltr");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms & Conditions");
  await expect(page.getByText("Freelancer agreement")).toBeVisible();
  await expect(box).toBeChecked();
});
