import { join } from "node:path";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("shows the typed text next to the search icon, not below it", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("searchbox");
  const icon = await page.getByRole("dialog").locator("svg").first().boundingBox();
  const box = await field.boundingBox();
  const padding = await field.evaluate((input) =>
    Number.parseFloat(getComputedStyle(input).paddingInlineStart),
  );
  expect((box?.x ?? 0) + padding).toBeGreaterThanOrEqual((icon?.x ?? 0) + (icon?.width ?? 0));
});

test("opens the keyboard shortcuts with a question mark after one Escape", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("terms");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("lists a person by name, once under recent pages, and a document by the reader’s title", async ({
  page,
  musette,
}) => {
  const handbook = join(prepared, "handbook.pdf");
  musette.publish(
    ...([handbook, "FREELANCER", "Fahrerhandbuch", "--locale", "de"] as const),
    ...["--variant", `en=${handbook}:Rider handbook`],
  );
  musette.addRider("r-1", "Ottilie Fernwick");
  await signInByLink(page, musette);
  await page.goto("/console/people/r-1");
  await expect(page.getByRole("heading", { level: 1, name: "Ottilie Fernwick" })).toBeVisible();
  await page.goto("/console/people/r-1/consents");
  await expect(page.getByRole("heading", { level: 1, name: "Ottilie Fernwick" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const options = page.getByRole("dialog").getByRole("option");
  await expect(options.filter({ hasText: "Ottilie Fernwick" })).toHaveCount(1);
  await page.keyboard.type("r-1");
  await expect(options.filter({ hasText: "r-1" })).toHaveText(["Ottilie Fernwickr-1"]);
  // Found by the German title, and shown with the English one.
  await page.getByRole("dialog").getByRole("searchbox").fill("fahrerh");
  await expect(options).toHaveText([/^Rider handbook/]);
});
