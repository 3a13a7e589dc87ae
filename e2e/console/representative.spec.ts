import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import { Roster } from "../setup/evaluations";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { PASSWORD } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

const EMAIL = "works-council@larkspur.example";
const violations = async (page: Page) => (await axeBuilder(page).analyze()).violations;

async function signIn(page: Page): Promise<void> {
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

// A response of 403 fails the test: the pages must not request what a representative may not read.
test("a representative reads texts and counts, and no person", async ({ page, musette }) => {
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.addColleague("council-1", EMAIL, PASSWORD, ["representative"]);
  const term = musette.publish(join(prepared, "marketing.pdf"), "FREELANCER", "Basic terms");
  const roster = new Roster(musette);
  for (let i = 0; i < 11; i++) await roster.createLate("rider-1", `shift-${i}`);
  await signIn(page);
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await expect(links).toHaveText(["Overview", "Terms", "Decisions report"]);
  expect(await violations(page)).toEqual([]);

  await links.nth(1).click();
  await page.getByRole("link", { name: "Basic terms" }).first().click();
  await expect(page).toHaveURL(`/console/terms/${term.id}`);
  await expect(page.getByRole("link", { name: "Coverage" })).toHaveCount(0);

  await links.nth(2).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Decisions report");
  const last = page.locator("tbody tr[data-index]").last();
  await expect(last).toContainText("Evaluated11");
  await expect(last).toContainText("Pending<10");
  await expect(last).toContainText("Totalhidden");
  await expect(page.getByText("Ottilie")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath("report-1280.png"), fullPage: true });

  const month = new Date().toISOString().slice(0, 7);
  await page.getByLabel("From").fill(month);
  await expect(page).toHaveURL(new RegExp(`from=${month}`));
  await expect(page.locator("tbody tr[data-index]")).toHaveCount(1);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export rows" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv.split("\n")[1]).toContain(`${month},,,<10,11,<10`);

  await page.setViewportSize({ width: 390, height: 844 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.screenshot({ path: test.info().outputPath("report-390.png"), fullPage: true });
  await page.goto("/console/");
  await page.screenshot({ path: test.info().outputPath("home-390.png"), fullPage: true });
});
