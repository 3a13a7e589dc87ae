import { readFileSync } from "node:fs";
import { consentScreen } from "../consent/screen";
import { expect, test } from "../setup/test";

test("checks a receipt in the browser, and downloads its proof", async ({ page }) => {
  await page.goto("/apply");
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.click();
  await page.getByRole("button", { name: "Check this receipt" }).click();
  await expect(page.getByText("This receipt is genuine.")).toBeVisible();

  const saved = page.waitForEvent("download");
  await page
    .getByRole("link", { name: "Download proof" })
    .or(page.getByRole("button", { name: "Download proof" }))
    .click();
  const receipt = JSON.parse(readFileSync(await (await saved).path(), "utf8"));
  expect(receipt.proof).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);
  expect(JSON.parse(receipt.entry).consents).toHaveLength(4);
});

test("the certificate is one page of PDF, in the language of the app", async ({ page }) => {
  await page.goto("/apply");
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download certificate" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  const pdf = readFileSync(await download.path(), "latin1");
  expect(pdf).toMatch(/^%PDF-1\.[4-7]/);
  expect(pdf).toContain("/Lang(en)");
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
});

test("does not confirm a receipt whose entry was changed afterwards", async ({ page }) => {
  await page.route("**/terms/consents", async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.receipt.entry = body.receipt.entry.replace('"accepted":true', '"accepted":false');
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto("/apply");
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.click();
  await page.getByRole("button", { name: "Check this receipt" }).click();
  await expect(page.getByText("This receipt is genuine.")).toHaveCount(0);
  await expect(page.getByText("This receipt is not confirmed.")).toBeVisible();
});
