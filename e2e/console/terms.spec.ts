import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { confirmBlocked, takeEffectNow } from "./publishing";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

const pdf = (name: "marketing" | "scan") => join(prepared, `${name}.pdf`);
const saved = (page: Page) => expect(page.getByText(/^Saved/).first()).toBeVisible();
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function newDraft(page: Page, musette: Musette): Promise<string> {
  await signInByLink(page, musette);
  await page.getByRole("navigation").getByRole("link", { name: "Terms" }).click();
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page).toHaveURL(/\/console\/terms\/drafts\/[0-9a-f-]+$/);
  // The list has a field with the same name, and may still be on the page.
  await page.getByRole("complementary", { name: "Publishing checklist" }).waitFor();
  return page.url().split("/").at(-1) ?? "";
}

async function upload(page: Page, language: string, file: string): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await part(page, language)
    .getByRole("button", { name: `: ${language}` })
    .last()
    .click();
  await (await choosing).setFiles(file);
}

async function fill(page: Page, language: string, title: string, file: string): Promise<void> {
  await page.getByLabel("Add language").selectOption(language);
  await page.getByRole("button", { name: "Add language", exact: true }).click();
  await expect(part(page, language).getByLabel("Title")).toBeFocused();
  await part(page, language).getByLabel("Title").fill(title);
  await upload(page, language, file);
  // The server renders the pages first.
  const drawn = part(page, language).getByText(/^PDF · \d+ pages?/);
  await expect(drawn).toBeVisible({ timeout: 20_000 });
}

test("writes, checks and publishes a draft, whose next version shows what changed", async ({
  page,
  musette,
}) => {
  test.setTimeout(90_000);
  musette.addRider("r-1", "Ottilie Fernwick");
  musette.addRider("r-2", "Bram Tolliver");
  await newDraft(page, musette);
  // Missing values are reported at their fields only after an attempt to publish.
  await page.getByRole("button", { name: "Publish version…" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose a type." })).toBeVisible();
  await expect(page.getByLabel("Type", { exact: true })).toBeFocused();

  await page.getByLabel("Type", { exact: true }).fill("freelancer");
  await fill(page, "English", "Rider handbook", pdf("marketing"));
  await fill(page, "Arabic", "دليل السائق", pdf("scan"));
  await saved(page);
  await part(page, "English").getByRole("button", { name: "Preview: English" }).click();
  await expect(page.getByRole("dialog").locator("[data-page='1'] img")).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(page.getByText("2 riders will be asked to agree.").first()).toBeVisible();
  await takeEffectNow(page);
  await saved(page);
  await page.getByRole("button", { name: "Publish version…" }).click();
  const publish = page
    .getByRole("dialog")
    .getByRole("button", { name: "Publish version", exact: true });
  await expect(publish).toBeDisabled();
  await confirmBlocked(page.getByRole("dialog"), 2);
  await publish.click();
  await expect(page).toHaveURL(/\/console\/terms\/1$/);
  await expect(page.getByText("“Rider handbook” is published.")).toBeVisible();
  await expect(page.getByText("Active")).toHaveCount(2);

  await page.getByRole("button", { name: "Create new version" }).click();
  await page
    .getByRole("textbox", {
      name: "Summary of changes",
      description: "One sentence, shown to riders",
    })
    .fill("Lights are checked.");
  await upload(page, "English", pdf("scan"));
  await expect(part(page, "English").getByText("PDF · 1 page")).toBeVisible({ timeout: 20_000 });
  await page.getByRole("button", { name: "Remove Arabic" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(part(page, "Arabic").getByLabel("Title")).toHaveValue("دليل السائق");
  await upload(page, "Arabic", pdf("scan"));
  await expect(part(page, "Arabic").getByText("PDF · 1 page")).toBeVisible({ timeout: 20_000 });
  // Removing a document cannot be undone, so it asks for confirmation.
  await page.getByRole("button", { name: "Remove Arabic" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove Arabic" }).click();
  await expect(page.getByText(/The previous version also had Arabic/)).toBeVisible();
  await expect(page.getByText("2 riders will be asked to agree.").first()).toBeVisible();
  await takeEffectNow(page);
  await page.getByLabel(/^Minor/).check();
  await expect(page.getByText(/^Riders are not asked again/).last()).toBeVisible();
  await page.getByRole("button", { name: "Publish version…" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: "Publish version", exact: true })
    .click();
  await expect(page).toHaveURL(/\/console\/terms\/2$/);
  // The former version remains readable.
  await page.getByRole("link", { name: "Version 1" }).click();
  await expect(page.getByText("Superseded").first()).toBeVisible();
  await page.getByRole("button", { name: "Open document: Arabic" }).click();
  await expect(page.getByRole("dialog").locator("[data-page='1'] img")).toBeVisible();
});

test("explains the changes of each language in its own texts", async ({ page, musette }) => {
  const arabic = `ar=${pdf("scan")}:دليل السائق`;
  musette.publish(pdf("scan"), "FREELANCER", "Rider handbook", "--variant", arabic);
  await signInByLink(page, musette);
  await page.goto("/console/terms/1");
  await page.getByRole("button", { name: "Create new version" }).click();
  await page.locator("#draft-summary").fill("Lights are checked.");
  await part(page, "Arabic").getByLabel("Summary of changes").fill("تُفحص الأضواء.");
  for (const language of ["English", "Arabic"]) {
    await upload(page, language, pdf("scan"));
    await expect(part(page, language).getByText("PDF · 1 page")).toBeVisible({ timeout: 20_000 });
  }
  await takeEffectNow(page);
  await page.getByRole("button", { name: "Publish version…" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: "Publish version", exact: true })
    .click();
  await expect(page).toHaveURL(/\/console\/terms\/2$/);
  await expect(page.getByText("Lights are checked.").first()).toBeVisible();
  const terms = await page.request.get("/api/rooster/v3/public/terms", {
    headers: { "Accept-Language": "ar" },
  });
  expect(await terms.json()).toMatchObject([{ id: 2, summary: "تُفحص الأضواء." }]);
});

test("restores text that was typed without a connection after a reload, then saves it", async ({
  page,
  musette,
  allow,
}) => {
  await newDraft(page, musette);
  allow(/net::ERR_FAILED/);
  const writing = /\/term-drafts\/[^/]+$/;
  await page.route(writing, (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await page.getByLabel("Type", { exact: true }).fill("FREELANCER");
  await expect(page.getByText("You are offline.", { exact: false })).toBeVisible();
  // A request that the page sends while it closes may bypass the route, and would be saved.
  await page.evaluate(() =>
    addEventListener("visibilitychange", (event) => event.stopImmediatePropagation(), true),
  );
  await page.reload();
  await expect(page.getByLabel("Type", { exact: true })).toHaveValue("FREELANCER");
  await expect(page.getByText("unsaved changes were restored", { exact: false })).toBeVisible();
  await page.unroute(writing);
  // By itself: a person who is away need not press anything.
  await saved(page);
  await page.reload();
  await expect(page.getByLabel("Type", { exact: true })).toHaveValue("FREELANCER");
  await saved(page);
});

test("two people who change one draft choose what is saved", async ({ page, musette, allow }) => {
  const id = await newDraft(page, musette);
  await page.getByLabel("Type", { exact: true }).fill("FREELANCER");
  await saved(page);
  const address = `${musette.url}/api/admin/v1/term-drafts/${id}`;
  const headers = { Authorization: `Bearer ${musette.tokens("ada-admin", 900).dhhToken}` };
  await expect(page.getByText(/^Saved \d/)).toBeVisible();
  const { revision, ...draft } = await (await fetch(address, { headers })).json();
  const theirs = await fetch(address, {
    method: "PUT",
    headers: { ...headers, "Content-Type": "application/json", "If-Match": `"${revision}"` },
    body: JSON.stringify({ ...draft, type: "COURIER", mandatory: false }),
  });
  expect(theirs.status).toBe(200);

  allow(/status of 412/);
  await page.getByLabel("Type", { exact: true }).fill("SHOPPER");
  const dialog = page.getByRole("dialog", { name: "Resolve conflicts" });
  await expect(dialog.getByRole("group", { name: "Type" }).getByLabel("SHOPPER")).toBeChecked();
  // Only the other person has changed it, so their value is preselected.
  await expect(dialog.getByRole("group", { name: "Required" }).getByLabel("no")).toBeChecked();
  await dialog.getByLabel("COURIER").check();
  await dialog.getByRole("button", { name: "Save selection" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel("Type", { exact: true })).toHaveValue("COURIER");
  await saved(page);
});

test("explains why a file that is not a PDF is refused, and can cancel an upload", async ({
  page,
  musette,
  allow,
}, testInfo) => {
  await newDraft(page, musette);
  await page.getByLabel("Add language").selectOption("German");
  await page.getByRole("button", { name: "Add language", exact: true }).click();
  const german = part(page, "German");
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const choosing = page.waitForEvent("filechooser");
    await german.getByRole("button", { name: "choose a file: German" }).click();
    await (await choosing).setFiles({ name, mimeType, buffer });
  };
  await choose("notes.txt", "text/plain", Buffer.from("Rules"));
  await expect(german.getByRole("alert")).toHaveText("This file is not a PDF.");
  allow(/status of 4(00|22)/);
  await choose("broken.pdf", "application/pdf", Buffer.from("Rules"));
  await expect(german.getByRole("alert")).toContainText("cannot be rendered");
  const large = testInfo.outputPath("large.pdf");
  writeFileSync(large, "");
  truncateSync(large, 21 * 1024 * 1024);
  await upload(page, "German", large);
  await expect(german.getByRole("alert")).toHaveText("This file is larger than 20 MB.");

  let letGo = () => {};
  await page.route(/\/documents\/de$/, async (route) => {
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await route.abort().catch(() => undefined);
  });
  allow(/net::ERR_/);
  await choose("handbook.pdf", "application/pdf", Buffer.alloc(1024));
  await german.getByRole("button", { name: "Cancel upload" }).click();
  await expect(german.getByRole("progressbar")).toHaveCount(0);
  letGo();
  await german.getByLabel("Title").fill("Handbuch");
  await saved(page);
});

test("an upload shows how many pages are rendered, and what is wrong", async ({
  page,
  musette,
}) => {
  await newDraft(page, musette);
  await page.getByLabel("Add language").selectOption("English");
  await page.getByRole("button", { name: "Add language", exact: true }).click();
  await expect(page.getByText("One PDF per language, at most 20 MB and 300 pages.")).toBeVisible();
  const english = part(page, "English");
  // The status message soon disappears, so the page itself records it.
  await english.evaluate((element) => {
    const statuses = new Set<string>();
    Object.assign(window, { statuses });
    const note = () => {
      const status = element.querySelector("progress + [role=status]")?.textContent;
      const value = element.querySelector("progress")?.value ?? 0;
      if (status) statuses.add(`${status} ${value > 0 ? "of a bar" : ""}`);
    };
    new MutationObserver(note).observe(element, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  await upload(page, "English", join(prepared, "handbook.pdf"));
  await expect(english.getByText("PDF · 30 pages")).toBeVisible({ timeout: 60_000 });
  const statuses = await page.evaluate(() => [
    ...(window as unknown as { statuses: Set<string> }).statuses,
  ]);
  const drawn = statuses.filter((status) => /Rendering page \d+ of 30 of a bar$/.test(status));
  expect(drawn.length, statuses.join("\n")).toBeGreaterThan(1);

  await upload(page, "English", join(prepared, "too-long.pdf"));
  await expect(english.getByRole("alert")).toContainText(
    "This document has more than 300 pages. Split it, or shorten it.",
  );
});

test("schedules a new draft with a grace period, so that publishing blocks no rider now", async ({
  page,
  musette,
}) => {
  musette.addRider("r-1", "Ottilie Fernwick");
  await newDraft(page, musette);
  await page.getByLabel("Type", { exact: true }).fill("FREELANCER");
  const day = async (label: string) =>
    Date.parse(await page.getByLabel(label, { exact: true }).inputValue()) / 86_400_000;
  const effective = await day("Takes effect on");
  expect(effective).toBeGreaterThan(Date.now() / 86_400_000);
  expect((await day("Grace period ends on")) - effective).toBe(14);
  await fill(page, "English", "Rider handbook", pdf("scan"));
  await saved(page);
  await page.getByRole("button", { name: "Publish version…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel(/blocked now$/)).toHaveCount(0);
  await dialog.getByRole("button", { name: "Publish version", exact: true }).click();
  await expect(page).toHaveURL(/\/console\/terms\/1$/);
  await expect(page.getByText("Scheduled").first()).toBeVisible();
});

test("warns of an English document that was uploaded as German", async ({ page, musette }) => {
  await newDraft(page, musette);
  await page.getByLabel("Type", { exact: true }).fill("FREELANCER");
  const agreement = (locale: string) =>
    new URL(`../../demo/documents/freelancer-agreement.${locale}.pdf`, import.meta.url).pathname;
  await fill(page, "German", "Vertrag", agreement("en"));
  await fill(page, "Arabic", "عقد", agreement("ar"));
  const check = page.getByRole("complementary", { name: "Publishing checklist" });
  const warnings = check.getByRole("listitem").filter({ hasText: "seems to be in" });
  await expect(warnings).toHaveText([
    "The PDF for German seems to be in English. Is it the right file?",
  ]);
  await upload(page, "German", agreement("de"));
  await expect(warnings).toHaveCount(0);
});

test("a draft can be discarded", async ({ page, musette }) => {
  await newDraft(page, musette);
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(page).toHaveURL(/\/console\/terms$/);
  await expect(page.getByText("No documents yet")).toBeVisible();
});
