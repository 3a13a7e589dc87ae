import { readFileSync } from "node:fs";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("exports exactly the filtered entries", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.goto("/console/audit?event=password_set");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByLabel("File format").selectOption("JSON lines, for a program");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export rows" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ event: "password_set", user_id: "ada-admin" }]);
  await expect(page.getByText("Exported: 1 row,")).toBeVisible();
});

test("searches the log by a part of a detail", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/environments");
  await page.getByLabel("Name").fill("sandbox");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("sandbox is added.").waitFor();
  await page.goto("/console/audit");
  await page.getByRole("searchbox").fill("sandb");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/audit\?q=sandb$/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("cell", { name: "Environment added" })).toBeVisible();
});

test("shows the latest actions when the person returns", async ({ page, musette }) => {
  await signInByLink(page, musette);
  const sections = page.getByRole("navigation");
  await sections.getByRole("link", { name: "Audit log" }).click();
  const events = page.getByRole("row");
  await expect(events.filter({ hasText: "Password set" })).toHaveCount(1);
  await sections.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Environments" }).first().click();
  await page.getByLabel("Name").fill("sandbox");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("sandbox is added.").waitFor();
  await sections.getByRole("link", { name: "Audit log" }).click();
  await expect(events.filter({ hasText: "Environment added" })).toHaveCount(1);
});
