import { readFileSync } from "node:fs";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { submitConsent } from "./agreeing";

test.use({ viewport: { width: 1280, height: 800 } });

const json = (name: string, value: unknown) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(value)),
});

test("keeps the filters of decisions in the address, and exports the filtered ones", async ({
  page,
  musette,
}) => {
  await submitConsent(musette, "demo-rider-1");
  await submitConsent(musette, "demo-rider-2");
  await signInByLink(page, musette);
  await page.getByRole("navigation").getByRole("link", { name: "Consents" }).click();
  await expect(page.getByRole("row")).toHaveCount(9);
  await page.getByLabel("Decision").selectOption("Declined");
  await expect(page).toHaveURL(/\/console\/consents\?decision=declined$/);
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("User ID").fill("demo-rider-2");
  await page.getByLabel("User ID").press("Enter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("row")).toHaveCount(2);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export rows" }).click();
  const file = await (await download).path();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("demo-rider-2");
  await expect(page.getByText(/^Exported: 1 row,/)).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row")).toHaveCount(9);
});

test("saves nothing if an export is cancelled", async ({ page, musette }) => {
  await submitConsent(musette, "demo-rider-1");
  await signInByLink(page, musette);
  await page.goto("/console/consents");
  await page.route(/consents\/export/, () => {
    // The server never answers.
  });
  await page.getByRole("button", { name: "Export rows" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Cancelled. Nothing was saved.")).toBeVisible();
});

test("verifies a receipt from a file, and that it belongs to its person", async ({
  page,
  musette,
}) => {
  const receipt = await submitConsent(musette, "demo-rider-1");
  await signInByLink(page, musette);
  await page.goto("/console/consents/verify");
  await page.getByLabel("Choose a file").setInputFiles(json("receipt.json", receipt));
  await expect(page.getByRole("heading", { name: "Receipt verified" })).toBeVisible();
  const step = (title: string) => page.getByRole("listitem").filter({ hasText: title });
  await expect(step("Documents")).toContainText("Passed");
  await page.getByLabel("User ID (optional)").fill("demo-rider-1");
  await page.getByRole("button", { name: "Verify person" }).click();
  await expect(step("Person")).toContainText("Passed");
  await page.getByLabel("User ID (optional)").fill("demo-rider-2");
  await page.getByRole("button", { name: "Verify person" }).click();
  await expect(page.getByRole("heading", { name: "Receipt not valid" })).toBeVisible();
  await expect(step("Person")).toContainText("Failed");
});

test("explains what is wrong with a changed receipt", async ({ page, musette }) => {
  const receipt = await submitConsent(musette, "demo-rider-1");
  const entry = "entry" in receipt ? String(receipt.entry) : "";
  const changed = { ...receipt, entry: entry.replace('"accepted":false', '"accepted":true') };
  expect(changed.entry).not.toBe(entry);
  await signInByLink(page, musette);
  await page.goto("/console/consents/verify");
  await page.getByLabel("Choose a file").setInputFiles(json("receipt.json", changed));
  await expect(page.getByRole("heading", { name: "Receipt not valid" })).toBeVisible();
  const step = (title: string) => page.getByRole("listitem").filter({ hasText: title });
  await expect(step("Signature")).toContainText("Passed");
  await expect(step("Log entry")).toContainText("Failed");

  await page.getByRole("button", { name: "Verify another receipt" }).click();
  await page.getByLabel("Or paste the receipt").fill("Dear Sir or Madam");
  await page.getByRole("button", { name: "Verify receipt" }).click();
  await expect(step("File format")).toContainText("Failed");
});

test("opens the receipt of a decision, with files to pass on", async ({ page, musette }) => {
  const { id } = await submitConsent(musette, "demo-rider-1");
  await signInByLink(page, musette);
  await page.goto("/console/people/demo-rider-1/consents");
  await page.getByRole("link", { name: "Receipt" }).first().click();
  await expect(page).toHaveURL(/\/console\/consents\/verify\?receipt=/);
  await expect(page.getByRole("heading", { name: "Receipt verified" })).toBeVisible();
  // The link already contained the user id to check.
  await expect(page.getByText("The entry belongs to this user ID.")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Certificate (PDF)" }).click();
  expect((await download).suggestedFilename()).toBe(`${id}.pdf`);
});

test("shows the state of the log, and downloads its checkpoint", async ({ page, musette }) => {
  await submitConsent(musette, "demo-rider-1");
  await signInByLink(page, musette);
  await page.goto("/console/consents/log");
  await expect(page.getByText("Never verified")).toBeVisible();
  const published = async () => (await fetch(`${musette.url}/log/checkpoint`)).text();
  const before = await published();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download checkpoint" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  // The sign-in is in the audit log, which is chained to the consent log at intervals.
  expect([before, await published()]).toContain(text);
});
