import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import { consentScreen } from "../consent/screen";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";

const LINK = "https://contracts.example/2026/contract.pdf";
const stage = `/stage/?foreign=${encodeURIComponent(LINK)}`;
const TITLE = "Contract from elsewhere";

async function elsewhere(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route(LINK, answer);
  await page.goto(stage);
  await consentScreen(page).open(TITLE).click();
}

const pdf = (route: Route) =>
  route.fulfill({
    body: readFileSync(join(prepared, "marketing.pdf")),
    contentType: "application/pdf",
    headers: { "Access-Control-Allow-Origin": "*" },
  });

test("a document of another origin is rendered in a frame that can reach nothing", async ({
  page,
}) => {
  await elsewhere(page, pdf);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Page 1 of 2")).toBeVisible({ timeout: 20_000 });
  await expect(dialog.locator("iframe")).toHaveAttribute("sandbox", "allow-scripts");
  const frame = dialog.frameLocator("iframe");
  await expect(frame.locator("canvas").first()).toBeVisible();
  await expect(frame.getByText("a rider keeps to the left").first()).toBeAttached();
  const origin = await frame.locator("body").evaluate(() => self.origin);
  expect(origin).toBe("null");
  await dialog.getByRole("button", { name: "Zoom in" }).click();
  await expect(dialog.getByRole("button", { name: "150%" })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(consentScreen(page).open(TITLE)).toBeFocused();
});

test("Escape inside the frame closes the viewer", async ({ page }) => {
  await elsewhere(page, pdf);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Page 1 of 2")).toBeVisible({ timeout: 20_000 });
  await dialog.frameLocator("iframe").locator("#surface").click();
  // The frame disappears with the first event of the key, so the browser sometimes never confirms
  // the press.
  const pressed = page.keyboard.press("Escape").catch(() => undefined);
  await expect(dialog).toHaveCount(0);
  await Promise.race([pressed, page.close()]);
});

for (const [what, body] of [
  ["is no PDF", "<!doctype html><script>parent.postMessage('x','*')</script>"],
  ["is a broken PDF", "%PDF-1.4\n1 0 obj\nnonsense"],
] as const) {
  test(`explains why a document that ${what} is refused`, async ({ page }) => {
    await elsewhere(page, (route) =>
      route.fulfill({ body, headers: { "Access-Control-Allow-Origin": "*" } }),
    );
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("alert")).toContainText("This document could not be loaded.", {
      timeout: 20_000,
    });
    await expect(dialog.getByRole("link", { name: "Download" })).toHaveAttribute("href", LINK);
  });
}

test("explains why a document whose origin does not allow it is refused", async ({
  page,
  allow,
}) => {
  allow(/CORS policy|ERR_FAILED/);
  await elsewhere(page, (route) => route.fulfill({ body: "%PDF-1.4" }));
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
});

test("an invalid link is never followed and never shown as one", async ({ page }) => {
  await page.goto(`/stage/?foreign=${encodeURIComponent("javascript:alert(1)")}`);
  await consentScreen(page).open(TITLE).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText("This document could not be loaded.");
  await expect(dialog.locator("a, iframe")).toHaveCount(0);
});
