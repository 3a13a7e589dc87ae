import { expect, test } from "../setup/test";
import { AGREEMENT, consentScreen, HANDBOOK, MARKETING, SCAN } from "./screen";

const HEADER_PX = 58;
const FOOTER_PX = 88;

test("accept waits for the last mandatory term, and never for an optional one", async ({
  page,
}) => {
  await page.goto("/stage/");
  const { accept, box, left } = consentScreen(page);
  await expect(accept).toBeDisabled();
  await expect(left).toHaveText("3 required terms left");
  await box(MARKETING).click();
  await box(AGREEMENT).click();
  await box(HANDBOOK).click();
  await expect(accept).toBeDisabled();
  await expect(left).toHaveText("1 required term left");
  await box(SCAN).click();
  await expect(accept).toBeEnabled();
  await box(MARKETING).click();
  await expect(accept).toBeEnabled();
  await box(HANDBOOK).click();
  await expect(accept).toBeDisabled();
});

test("accept is disabled during a submission, and says so", async ({ page }) => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/terms/consents", async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto("/stage/");
  const { accept, all, boxes } = consentScreen(page);
  await all.click();
  await accept.click();
  await expect(accept).toBeDisabled();
  await expect(accept).toHaveAttribute("aria-busy", "true");
  for (const box of await boxes.all()) await expect(box).toBeDisabled();
  answer();
  await expect(page.locator("output")).toHaveText("accepted 4");
});

test("accept is disabled while the terms are loading", async ({ page }) => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/public/terms**", async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto("/stage/");
  const { accept, screen, all } = consentScreen(page);
  await expect(screen).toHaveAttribute("data-state", "loading");
  await expect(accept).toBeDisabled();
  await expect(screen).toContainText("Loading the terms");
  answer();
  await expect(all).toBeVisible();
});

test("says that the connection is slow after three seconds", async ({ page }) => {
  await page.route("**/public/terms**", () => new Promise(() => {}));
  await page.goto("/stage/");
  const { screen } = consentScreen(page);
  await expect(screen).toContainText("Loading the terms");
  await expect(screen).toContainText("Still loading. The connection is slow.");
});

test("shows an empty list, a message and a retry if the terms cannot be loaded", async ({
  page,
  allow,
}) => {
  allow(/status of 503/);
  const down = (url: URL) => url.pathname.endsWith("/public/terms");
  await page.route(down, (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/stage/");
  const { accept, again, boxes, alert } = consentScreen(page);
  await expect(alert).toContainText("The terms could not be loaded.");
  await expect(boxes).toHaveCount(0);
  await expect(accept).toBeDisabled();
  await page.unroute(down);
  await again.click();
  await expect(boxes).toHaveCount(5);
  await expect(alert).toHaveCount(0);
});

test.describe("a server without terms", () => {
  test.use({ store: "empty" });

  test("accept is disabled while there are no terms", async ({ page }) => {
    await page.goto("/apply");
    const { accept, screen, boxes } = consentScreen(page);
    await expect(screen).toContainText("There are no terms to agree to at the moment.");
    await expect(boxes).toHaveCount(0);
    await expect(accept).toBeDisabled();
  });
});

test("the header appears only if it has an action, and both bars keep their heights", async ({
  page,
}) => {
  await page.goto("/stage/");
  const { screen, all } = consentScreen(page);
  await expect(all).toBeVisible();
  await expect(screen.locator("header")).toHaveCount(0);
  await page.goto("/stage/?header");
  expect((await screen.locator("header").boundingBox())?.height).toBe(HEADER_PX);
  const footer = await screen.locator("footer").boundingBox();
  expect(footer?.height).toBe(FOOTER_PX);
  expect(Math.round((footer?.y ?? 0) + FOOTER_PX)).toBe(page.viewportSize()?.height);
  await screen.getByRole("button", { name: "Back" }).click();
  await expect(page.locator("output")).toHaveText("back");
  await screen.getByRole("button", { name: "Close" }).click();
  await expect(page.locator("output")).toHaveText("closed");
});

test("shows a hostile title as plain text", async ({ page }) => {
  await page.goto("/stage/?termsType=HOSTILE");
  const { screen, boxes } = consentScreen(page);
  await expect(boxes).toHaveCount(3);
  await expect(screen.locator("bdi").first()).toContainText("<img src=x onerror=alert(1)> photo");
  await expect(page.locator("img, a")).toHaveCount(0);
  // The text after the override still has the correct direction.
  await expect(screen.getByText(MARKETING)).toBeVisible();

  await screen.getByRole("button", { name: /^Open <img/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator("h1")).toContainText("<img src=x onerror=alert(1)> photo");
  const saved = dialog.locator("a[download]").first();
  expect(await saved.getAttribute("download")).not.toMatch(/[\u202E/\\]/);
});
