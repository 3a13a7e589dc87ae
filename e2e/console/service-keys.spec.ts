import { axeBuilder } from "../setup/axe";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ store: "empty" });

test("shows a service key once, and refuses it once it is revoked", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/service-keys");
  await expect(page.getByText("No service keys")).toBeVisible();
  await page.getByRole("button", { name: "Create service key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shift planner");
  await dialog.getByRole("button", { name: "Create service key" }).click();
  const key = dialog.getByText(/^musette_service_/);
  await expect(key).toBeVisible();
  const headers = { Authorization: `Bearer ${await key.textContent()}` };
  const ask = () =>
    page.request.get(new URL("/api/admin/v1/markets", page.url()).href, { headers });
  expect((await ask()).status()).toBe(200);
  expect((await axeBuilder(page).analyze()).violations).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(key).toHaveCount(0);

  await page.getByRole("button", { name: "Revoke Shift planner" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("“Shift planner” is revoked.")).toBeVisible();
  await expect.poll(async () => (await ask()).status()).toBe(401);
  expect((await axeBuilder(page).analyze()).violations).toEqual([]);
});

test("creates one key after two quick presses", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/service-keys");
  await page.getByRole("button", { name: "Create service key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shift planner");
  await dialog.getByRole("button", { name: "Create service key" }).dblclick();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Revoke Shift planner" })).toHaveCount(1);
  await page.goto("/console/terms");
  await page.getByRole("button", { name: "Create draft" }).dblclick();
  await page.getByLabel("Type").waitFor();
  await page.goto("/console/terms");
  await expect(page.getByRole("row")).toHaveCount(2);
});
