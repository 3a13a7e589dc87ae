import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { expect, test } from "../setup/test";

const TIP = /^Tip: /;

/** The flags of the demonstration, without the many documents that it brings too. */
async function withFlags(page: Page, musette: Musette): Promise<void> {
  const demo = new URL("../../demo/flags.json", import.meta.url);
  musette.importFlags(JSON.parse(readFileSync(demo, "utf8")));
  const flag_key = musette.createFlagKey();
  await page.route("/api/demo/v1", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), flag_key } });
  });
}

test("a flag chooses a visitor's tip, and the A/B test counts them once", async ({
  page,
  musette,
}) => {
  await withFlags(page, musette);
  await page.goto("/");
  const tip = page.getByText(TIP);
  await expect(tip).toBeVisible();
  const words = await tip.textContent();
  await page.reload();
  await expect(tip).toHaveText(String(words));

  musette.addAdmin("ada-admin", "ada@larkspur.example");
  const headers = { Authorization: `Bearer ${musette.tokens("ada-admin", 300).dhhToken}` };
  const units = async () => {
    const url = "/api/admin/v1/experiments/start-tip/results?environment=production";
    const answer = await page.request.get(url, { headers });
    return (await answer.json()).units;
  };
  await expect.poll(units, { timeout: 20_000 }).toBe(1);
});

test("the overlay comes when it is asked for, and changes the page of this device only", async ({
  page,
  musette,
}) => {
  await withFlags(page, musette);
  await page.goto("/");
  await expect(page.getByText(TIP)).toBeVisible();
  await expect(page.locator("musette-flags")).toHaveCount(0);

  await page.goto("/?musette-flags=1");
  const overlay = page.locator("musette-flags section");
  await overlay.getByText("start-tip", { exact: true }).first().click();
  await expect(overlay.getByText("AB_TEST · experiment:start-tip")).toBeVisible();
  await overlay.getByLabel("On this device").fill("none");
  await overlay.getByRole("button", { name: "Set" }).click();
  await expect(page.getByText(TIP)).toHaveCount(0);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(TIP)).toHaveCount(0);
  await page.goto("/?musette-flags=1");
  await overlay.getByRole("button", { name: "Reset all" }).click();
  await expect(page.getByText(TIP)).toBeVisible();
});
