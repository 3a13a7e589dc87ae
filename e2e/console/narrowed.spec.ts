import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { PASSWORD } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

async function enter(page: Page, email: string): Promise<void> {
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

test("a head of legal in two countries writes there, and is told what is not theirs", async ({
  page,
  musette,
}) => {
  musette.addColleague("lena", "lena@larkspur.example", PASSWORD, ["legal@DE", "legal@UY"]);
  musette.addRider("rider-1", "Ottilie Fenwick");
  const world = musette.publish(join(prepared, "marketing.pdf"), "FREELANCER", "Basic terms");
  await enter(page, "lena@larkspur.example");
  await expect(page.getByText("Legal (")).toContainText("DE, UY");
  await expect(page.getByText("What happened last")).toHaveCount(0);
  await page.goto("/console/audit");
  await expect(page.getByText(/shown to those who have a role for all markets/)).toBeVisible();
  // A text for everywhere is read, and counted where she may: no new version of it is offered.
  await page.goto(`/console/terms/${world.id}/coverage`);
  await expect(page.getByText(/does not allow/)).toHaveCount(0);
  await page.goto(`/console/terms/${world.id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Basic terms" })).toBeVisible();
  await expect(page.getByRole("button", { name: /new version/i })).toHaveCount(0);
  await page.goto("/console/terms");
  await page.getByRole("button", { name: "New draft" }).click();
  await expect(page.getByLabel("Market")).toHaveValue("DE");
  await page.getByLabel("Type").fill("FREELANCER");
  await page.getByLabel("Instead of").selectOption({ label: "Basic terms · Version 1" });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
});

test("who looks after one city adds people there", async ({ page, musette }) => {
  musette.addColleague("sven", "sven@larkspur.example", PASSWORD, ["support@DE-BE"]);
  await enter(page, "sven@larkspur.example");
  await page.goto("/console/people");
  await page.getByRole("button", { name: "Add a person" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Market")).toHaveValue("DE-BE");
  await dialog.getByLabel("User id").fill("rider-9");
  await dialog.getByRole("button", { name: "Add a person" }).click();
  await expect(page.getByRole("link", { name: "rider-9" })).toBeVisible();
  await expect(page.getByRole("row", { name: /rider-9/ })).toContainText("DE-BE");
});
