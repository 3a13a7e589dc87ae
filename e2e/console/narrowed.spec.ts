import { join } from "node:path";
import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
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

test("a head of legal in two countries writes there, and is told what is out of reach", async ({
  page,
  musette,
}) => {
  musette.addColleague("lena", "lena@larkspur.example", PASSWORD, ["legal@DE", "legal@UY"]);
  musette.addRider("rider-1", "Ottilie Fenwick");
  const world = musette.publish(join(prepared, "marketing.pdf"), "FREELANCER", "Basic terms");
  await enter(page, "lena@larkspur.example");
  await expect(page.getByText("Legal (")).toContainText("DE, UY");
  await expect(page.getByText("Recent activity")).toHaveCount(0);
  // There is a term, and only admins see the other first steps.
  await expect(page.getByRole("region", { name: "Setup checklist" })).toHaveCount(0);
  await page.goto("/console/audit");
  await expect(page.getByText(/a role that is not limited to a market/)).toBeVisible();
  // She can read a text for all markets and see its coverage in hers, but cannot create a new
  // version of it.
  await page.goto(`/console/terms/${world.id}/coverage`);
  await expect(page.getByText(/does not allow/)).toHaveCount(0);
  await page.goto(`/console/terms/${world.id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Basic terms" })).toBeVisible();
  await expect(page.getByRole("button", { name: /new version/i })).toHaveCount(0);
  await expect(page.getByText(/^Your role is limited to DE and UY/)).toBeVisible();
  await page.goto("/console/terms");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByLabel("Market", { exact: true })).toHaveValue("DE");
  await page.getByLabel("Type").fill("FREELANCER");
  await page
    .getByLabel("Replaces in this market")
    .selectOption({ label: "Basic terms · Version 1" });
  const { violations } = await axeBuilder(page).analyze();
  expect(violations).toEqual([]);
});

test("explains at the field that a text for all markets is out of reach", async ({
  page,
  musette,
  allow,
}) => {
  // The server refuses texts for other markets as well.
  allow(/status of 403/);
  musette.addColleague("lena", "lena@larkspur.example", PASSWORD, ["legal@DE", "legal@UY"]);
  musette.publish(join(prepared, "marketing.pdf"), "FREELANCER", "Basic terms");
  await enter(page, "lena@larkspur.example");
  await page.goto("/console/terms");
  await page.getByRole("button", { name: "Create draft" }).click();
  const market = page.getByLabel("Market", { exact: true });
  await expect(market).toHaveValue("DE");
  await expect(page.getByText(/^Choose DE or UY or a market inside/)).toBeVisible();
  // They cannot replace a text for all markets.
  await expect(page.getByLabel("New version of").getByRole("option")).toHaveCount(1);
  await market.fill("");
  await expect(page.getByText("Choose a market.")).toBeVisible();
  await expect(page.getByText(/Your changes could not be saved/)).toBeVisible();
  await market.fill("FR");
  await expect(page.getByRole("alert")).toHaveText("Your role does not include this market.");
  await page.getByLabel("Type").fill("FREELANCER");
  await expect(page.getByText(/Your changes could not be saved/)).toBeVisible();
  await page.getByRole("button", { name: "Publish version…" }).click();
  await expect(market).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // Other typed text is saved once the market is one of theirs.
  await market.fill("UY");
  await expect(page.getByText(/^Saved/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Market", { exact: true })).toHaveValue("UY");
  await expect(page.getByLabel("Type")).toHaveValue("FREELANCER");
});

test("a manager of one city adds people there", async ({ page, musette }) => {
  musette.addColleague("sven", "sven@larkspur.example", PASSWORD, ["support@DE-BE"]);
  await enter(page, "sven@larkspur.example");
  await page.goto("/console/people");
  await page.getByRole("button", { name: "Add person" }).click();
  const dialog = page.getByRole("dialog");
  const market = dialog.getByLabel("Market", { exact: true });
  await expect(market).toHaveValue("DE-BE");
  await dialog.getByLabel("User id").fill("rider-9");
  // No person can be added elsewhere, and the field remains when it is cleared.
  for (const [typed, said] of [
    ["", "Choose a market."],
    ["DE", "Your role does not include this market."],
  ] as const) {
    await market.fill(typed);
    await expect(dialog.getByText(said)).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Add person" })).toBeDisabled();
  }
  await market.fill("DE-BE");
  await dialog.getByRole("button", { name: "Add person" }).click();
  await expect(page.getByRole("link", { name: "rider-9" })).toBeVisible();
  await expect(page.getByRole("row", { name: /rider-9/ })).toContainText("DE-BE");
});

test("tells a person without an environment whom to ask", async ({ page, musette }) => {
  musette.addColleague("stig", "stig@larkspur.example", PASSWORD, ["product@staging"]);
  await enter(page, "stig@larkspur.example");
  await page.goto("/console/flags");
  await expect(page.getByText("You do not have access to any environment.")).toBeVisible();
  await expect(page.getByText(/^Your role is limited to staging\./)).toBeVisible();
  await expect(page.getByText("There is no environment yet.")).toHaveCount(0);
});
