import { join } from "node:path";
import type { Page } from "@playwright/test";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { AGREEMENT, consentScreen, MARKETING, SCAN } from "./screen";

const SUBMIT = "**/terms/consents";
const output = (page: Page) => page.locator("output");
const ticked = [true, true, true, true, true];

test("offline: keeps the ticks, claims nothing, and records once on return", async ({
  page,
  context,
  musette,
  allow,
}) => {
  allow(/ERR_INTERNET_DISCONNECTED/);
  await page.goto("/stage/");
  const { accept, all, ticks, alert } = consentScreen(page);
  await all.click();
  await context.setOffline(true);
  await accept.click();
  await expect(alert).toContainText("not sent yet, so it does not count yet");
  await expect.poll(ticks).toEqual(ticked);
  expect(musette.decisions()).toHaveLength(0);
  await context.setOffline(false);
  await expect(output(page)).toHaveText("accepted 4");
  expect(musette.decisions()).toHaveLength(4);
});

test("a server error: keeps the ticks, and records once on retry", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 503/);
  await page.route(
    SUBMIT,
    (route) => route.fulfill({ status: 503, body: "", headers: { "Retry-After": "17" } }),
    { times: 1 },
  );
  await page.goto("/stage/");
  const { accept, again, all, ticks, alert } = consentScreen(page);
  await all.click();
  await accept.click();
  await expect(alert).toContainText("The server could not confirm this.");
  await expect(alert).toContainText("The server asks to wait 17 seconds.");
  await expect.poll(ticks).toEqual(ticked);
  await again.click();
  await expect(output(page)).toHaveText("accepted 4");
  expect(musette.decisions()).toHaveLength(4);
});

test("never records twice if the answer is lost after the write", async ({
  page,
  musette,
  allow,
}) => {
  allow(/ERR_FAILED/);
  const keys: (string | undefined)[] = [];
  const bodies: (string | null)[] = [];
  let lost = 0;
  await page.route(SUBMIT, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    bodies.push(route.request().postData());
    if (lost++ > 1) return route.continue();
    const answer = await route.fetch();
    expect(answer.status()).toBe(201);
    await route.abort();
  });
  await page.goto("/stage/");
  const { accept, again, all } = consentScreen(page);
  await all.click();
  await accept.click();
  await again.click();
  await expect.poll(() => keys.length).toBe(2);
  expect(musette.decisions()).toHaveLength(4);
  await again.click();
  await expect(output(page)).toHaveText("accepted 4");

  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(new Set(bodies).size).toBe(1);
  const decisions = musette.decisions();
  expect(decisions).toHaveLength(4);
  expect(new Set(decisions.map((row) => row.receipt_id)).size).toBe(1);
});

test("uses a new key for another decision after an error", async ({ page, musette, allow }) => {
  allow(/ERR_FAILED/);
  await page.route(SUBMIT, (route) => route.abort(), { times: 1 });
  await page.goto("/stage/");
  const { accept, again, all, box } = consentScreen(page);
  await all.click();
  await accept.click();
  await expect(again).toBeEnabled();
  await box(MARKETING).click();
  await accept.click();
  await expect(output(page)).toHaveText("accepted 4");
  expect(musette.decisions().map((row) => row.accepted)).toEqual([true, true, true, false]);
});

test("submits once on a double tap", async ({ page, musette }) => {
  await page.goto("/stage/");
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.dblclick();
  await expect(output(page)).toHaveText("accepted 4");
  expect(musette.decisions()).toHaveLength(4);
});

test("loads and marks terms that change meanwhile, and keeps the other ticks", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 409/);
  await page.goto("/stage/");
  const { accept, all, box, left, screen, alert } = consentScreen(page);
  await all.click();
  const file = join(prepared, "handbook.pdf");
  const next = musette.publish(
    ...([file, "FREELANCER", "Rider handbook, second edition"] as const),
    ...["--mandatory", "--order", "2", "--replaces", "2", "--summary", "Helmets are now required."],
  );
  await accept.click();

  await expect(alert).toContainText("The terms have changed in the meantime.");
  const row = screen.locator(`[data-term="${next.id}"]`);
  await expect(row).toContainText("Rider handbook, second edition");
  await expect(row).toContainText("Changed");
  await expect(row).toContainText("Helmets are now required.");
  await expect(screen.getByText("Changed", { exact: true })).toHaveCount(1);
  await expect(row.getByRole("checkbox")).not.toBeChecked();
  for (const title of [AGREEMENT, SCAN, MARKETING]) await expect(box(title)).toBeChecked();
  await expect(accept).toBeDisabled();
  await expect(left).toHaveText("1 required term left");
  expect(musette.decisions()).toHaveLength(0);

  await row.getByRole("checkbox").click();
  await accept.click();
  await expect(output(page)).toHaveText("accepted 4");
  expect(musette.decisions().map((row) => row.terms_and_conditions_id)).toEqual([1, next.id, 3, 4]);
});
