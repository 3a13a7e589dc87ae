import { join } from "node:path";
import type { Page } from "@playwright/test";
import { consentScreen, HANDBOOK, MARKETING, SCAN } from "../consent/screen";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";

test("a rider enters from the start page, agrees, withdraws with one tap and agrees again", async ({
  page,
  musette,
}) => {
  await page.goto("/");
  await page.getByLabel("Which rider?").selectOption({ label: "Bram Tolliver" });
  await page.getByRole("button", { name: "Try it as a rider" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("3 documents need you now");
  await expect(page.getByText("Hello, Bram Tolliver.")).toBeVisible();
  await page.getByRole("link", { name: "Read and agree" }).click();
  await expect(page).toHaveURL(/\/terms$/);
  const { accept, all, box } = consentScreen(page);
  await all.click();
  await box(MARKETING).click();
  await accept.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Done. You have agreed.");
  await expect(page.getByText("Not agreed")).toHaveCount(1);
  const receipt = await page.locator("code").innerText();

  await page.getByRole("main").getByRole("link", { name: "My agreements" }).click();
  const marketing = page.getByRole("listitem", { name: MARKETING });
  const consent = marketing.getByRole("switch");
  await expect(marketing).toContainText("Not agreed on");
  for (const words of ["Agreed on", "Withdrawn on", "Agreed on"]) {
    await consent.click();
    await expect(marketing).toContainText(words);
  }
  const history = page.getByRole("link", { name: "Receipt" });
  await expect(history).toHaveCount(4);
  await history.last().click();
  await expect(page.locator("code")).toHaveText(receipt);

  const decisions = musette.decisions();
  expect(decisions.map((row) => [row.terms_and_conditions_id, row.accepted])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, false],
    [4, true],
    [4, false],
    [4, true],
  ]);
  for (const row of decisions)
    expect(row).toMatchObject({ user_id: "demo-rider-2", user_type: "RIDER" });
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 720 } });

  test("a rider reads the text, looks at the pages, and continues after a reload", readsOn);
});

async function readsOn({ page, musette }: { page: Page; musette: Musette }): Promise<void> {
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  const { accept, all, open } = consentScreen(page);
  await open(HANDBOOK).tap();
  const dialog = page.getByRole("dialog");
  const surface = dialog.getByRole("region");
  const text = dialog.locator(".mu-viewer-reading");
  const footer = dialog.locator("footer");
  const section = (number: number) => text.locator(`[data-page="${number}"]`).first();
  const at = (number: number) => dialog.getByText(`Page ${number} of 30`, { exact: true });
  await expect(dialog.getByText("What counts is the document as its pages")).toBeInViewport();
  await section(12).evaluate((element) => element.scrollIntoView());
  await expect(at(12)).toBeVisible();

  await footer.getByRole("button", { name: "Page view" }).click();
  await expect(dialog.getByRole("group", { name: "Page 12 of 30" })).toBeInViewport();
  await dialog.locator('[data-page="20"]').evaluate((element) => element.scrollIntoView());
  await expect(at(20)).toBeVisible();
  await footer.getByRole("button", { name: "Reading view" }).click();
  await expect(section(20)).toBeInViewport();
  await expect(at(20)).toBeVisible();
  await surface.evaluate((element) => element.scrollBy(0, 100));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  const where = () => section(20).evaluate((element) => element.getBoundingClientRect().top);
  const before = await where();

  for (const again of ["closed", "reloaded"]) {
    if (again === "closed") await page.keyboard.press("Escape");
    else await page.reload();
    await expect(dialog).toHaveCount(0);
    await open(HANDBOOK).click();
    await expect(at(20)).toBeVisible();
    await expect.poll(where).toBeCloseTo(before, -1);
  }
  await page.keyboard.press("Escape");
  await all.click();
  await accept.click();
  await expect(page.locator("code")).toBeVisible();
  expect(musette.decisions()).toHaveLength(4);
}

test("ticks exactly what a rider agreed to before", async ({ page, musette }) => {
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  const { accept, all, box } = consentScreen(page);
  await all.click();
  await box(MARKETING).click();
  await accept.click();
  await expect(page.locator("code")).toBeVisible();
  await page.goto("/terms");
  await expect(box(HANDBOOK)).toBeChecked();
  await expect(box(MARKETING)).not.toBeChecked();
  await expect(all).toHaveAttribute("aria-checked", "mixed");

  // A new text starts unticked, and is marked as new.
  const file = join(prepared, "scan.pdf");
  musette.publish(file, "FREELANCER", SCAN, "--mandatory", "--order", "3", "--replaces", "3");
  await page.reload();
  await expect(box(HANDBOOK)).toBeChecked();
  await expect(box(SCAN)).not.toBeChecked();
  await expect(page.getByText("Changed", { exact: true })).toHaveCount(1);
});

test("a failed withdrawal says so and is not shown as one", async ({ page, musette, allow }) => {
  allow(/status of 503/);
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.click();
  await page.getByRole("main").getByRole("link", { name: "My agreements" }).click();
  const marketing = page.getByRole("listitem", { name: MARKETING });
  const consent = marketing.getByRole("switch");
  // As long as the screen is examined, because the app sends it again by itself.
  await page.route("**/terms/consents", (route) => route.fulfill({ status: 503, body: "" }));
  await consent.click();
  await expect(marketing.getByRole("alert")).toContainText("is not confirmed");
  await expect(consent).toBeChecked();
  await page.unroute("**/terms/consents");
  await marketing.getByRole("button", { name: "Try again" }).click();
  await expect(marketing).toContainText("Withdrawn on");
  expect(musette.decisions()).toHaveLength(5);
});

test("without a session the terms say so, and a decision from an ended session is kept", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 401/);
  await page.route("**/session/v1/refresh", (route) =>
    route.fulfill({ status: 401, json: { code: "session_ended", status: 401 } }),
  );
  await page.goto("/terms");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are not signed in");

  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  const { accept, all, box } = consentScreen(page);
  await all.click();
  await box(MARKETING).click();
  // Between two taps the session ends: the token expires, and the server refuses to renew it.
  await signIn(page, musette, "demo-rider-1", -60);
  await accept.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your session has ended");
  expect(musette.decisions()).toHaveLength(0);

  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  await expect(box(HANDBOOK)).toBeChecked();
  await expect(box(MARKETING)).not.toBeChecked();
  await accept.click();
  await expect(page.locator("code")).toBeVisible();
  expect(musette.decisions()).toHaveLength(4);
});

test("an ended session never looks as if nothing had been agreed to", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 401/);
  await page.route("**/session/v1/refresh", (route) =>
    route.fulfill({ status: 401, json: { code: "session_ended", status: 401 } }),
  );
  await signIn(page, musette, "demo-rider-1", -60);
  await page.goto("/agreements");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your session has ended");
  await expect(page.getByText("Nothing agreed")).toHaveCount(0);
  await page.getByRole("button", { name: "Continue as a demo rider" }).click();
  await expect(page).toHaveURL(/\/terms$/);
});

test("mentions a decision that a 401 held back", async ({ page, musette, allow }) => {
  allow(/status of 401/);
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  await page.route("**/terms/consents", (route) =>
    route.fulfill({ status: 401, json: { code: "session_ended", status: 401 } }),
  );
  await page.locator("[data-term=all] input").click();
  await page.locator(".mu-consent-footer button").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your session has ended");
  await page.goto("/agreements");
  await expect(page.getByText("A decision made on this phone is not confirmed yet")).toBeVisible();
  await expect(page.getByText("Nothing agreed")).toHaveCount(0);
  // The submission belongs to the rider, and is sent in their name.
  await page.unroute("**/terms/consents");
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/");
  await expect.poll(() => musette.decisions().length).toBe(4);
});

test("ticks of one rider never become those of the next", async ({ page, musette }) => {
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  const { all, ticks } = consentScreen(page);
  await all.click();
  await page.goto("/");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Which rider?").selectOption({ label: "Bram Tolliver" });
  await page.getByRole("button", { name: "Try it as a rider" }).click();
  await page.getByRole("link", { name: "Read and agree" }).click();
  await expect(all).toBeVisible();
  await expect.poll(ticks).toEqual([false, false, false, false, false]);
});

test("retries a failed submission by itself, and one button sends it at once", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 503/);
  await page.route("**/terms/consents", (route) => route.fulfill({ status: 503, body: "" }), {
    times: 1,
  });
  await page.goto("/apply");
  const { accept, all, alert } = consentScreen(page);
  await all.click();
  await accept.click();
  await expect(alert).toContainText("It is kept and sent again by itself");
  await expect(page.locator(".mu-consent-dock button")).toHaveText(["Try now"]);
  // Without a tap.
  await expect(page.locator(".receipt code")).toBeVisible();
  expect(musette.decisions()).toHaveLength(4);
});
