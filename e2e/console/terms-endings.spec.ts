import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

const pdf = (name: string) => join(prepared, `${name}.pdf`);
const own = (name: string) => new URL(`../../demo/documents/${name}.pdf`, import.meta.url).pathname;

const publish = (musette: Musette, ...more: readonly string[]) =>
  musette.publish(pdf("handbook"), "FREELANCER", "Rider handbook", "--mandatory", ...more);

/** Returns the terms that an applicant is asked for. */
async function publicTerms(page: Page): Promise<readonly number[]> {
  const terms = await page.request.get("/api/rooster/v3/public/terms");
  return (await terms.json()).map(({ id }: { readonly id: number }) => id);
}

test("cancels a scheduled version after explaining the effects, and undoes it", async ({
  page,
  musette,
}) => {
  publish(musette);
  publish(musette, "--replaces", "1", "--effective-from", "2100-01-01T08:00:00Z");
  musette.addRider("r-1", "Ottilie Fernwick");
  musette.addRider("r-2", "Bram Tolliver");
  await signInByLink(page, musette);
  await page.goto("/console/terms/2");
  await page.getByRole("button", { name: "Cancel version…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("2 riders who would have been asked are not.")).toBeVisible();
  await expect(dialog.getByText("The current version stays in effect.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel version" }).click();
  await expect(page.getByText("“Rider handbook” is cancelled.")).toBeVisible();
  await expect(page.getByText(/^Cancelled on .* before it took effect\.$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Create new version" })).toHaveCount(0);

  // It is listed in the document's history, and among the cancelled versions of the list.
  await page.goto("/console/terms/1");
  await expect(page.getByRole("link", { name: "Version 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create new version" })).toBeVisible();
  await page.goto("/console/terms?status=cancelled");
  await expect(page.getByRole("row", { name: /Rider handbook.*Cancelled/ })).toBeVisible();

  await page.goto("/console/terms/2");
  await page.getByRole("button", { name: "Undo cancellation" }).click();
  await expect(page.getByText("Change undone")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel version…" })).toBeVisible();
  await page.goto("/console/audit");
  await expect(page.getByText("Scheduled term cancelled").last()).toBeVisible();
  await expect(page.getByText("Cancellation of a term undone").last()).toBeVisible();
});

test("retires a document: first for a date, then at once", async ({ page, musette }) => {
  publish(musette);
  musette.addRider("r-1", "Ottilie Fernwick");
  musette.addRider("r-2", "Bram Tolliver");
  musette.importConsents([["r-1", 1, true, "en"]]);
  await signInByLink(page, musette);
  await page.goto("/console/terms/1");
  await page.getByRole("button", { name: "Retire document…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("1 rider who has not agreed is no longer asked.")).toBeVisible();
  await expect(dialog.getByText(/agreement of 1 person stays/)).toBeVisible();
  await expect(dialog.getByText(/^You can undo this until/)).toBeVisible();
  await dialog.getByRole("button", { name: "Retire document" }).click();
  await expect(page.getByText(/will be retired on .*\./)).toBeVisible();
  expect(await publicTerms(page)).toEqual([1]);
  await page.getByRole("button", { name: "Undo retirement" }).click();
  await expect(page.getByText("Change undone")).toBeVisible();

  await page.getByRole("button", { name: "Retire document…" }).click();
  await dialog.getByLabel("Now").check();
  await expect(dialog.getByText("This cannot be undone.")).toBeVisible();
  await dialog.getByRole("button", { name: "Retire document" }).click();
  await expect(page.getByText(/^Retired on/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo retirement" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Create new version" })).toHaveCount(0);
  expect(await publicTerms(page)).toEqual([]);
  // The agreements are kept, and no rider is missing.
  await page.getByRole("link", { name: "Acceptance", exact: true }).click();
  await expect(page.getByText(/^This version is no longer in use/)).toBeVisible();
  await expect(page.getByText("Pending")).toHaveCount(0);
});

test("counts the riders who are asked again and for the first time; none is missing from a former version", async ({
  page,
  musette,
}) => {
  publish(musette);
  musette.addRider("r-1", "Ottilie Fernwick");
  musette.addRider("r-2", "Bram Tolliver");
  musette.importConsents([["r-1", 1, true, "en"]]);
  await signInByLink(page, musette);
  await page.goto("/console/terms/1/coverage");
  await expect(page.getByRole("link", { name: "Pending (1)" })).toBeVisible();
  await page.goto("/console/terms/1");
  await page.getByRole("button", { name: "Create new version" }).click();
  await expect(
    page.getByText("2 riders will be asked to agree, 1 of them again.").first(),
  ).toBeVisible();

  publish(musette, "--replaces", "1");
  await page.goto("/console/terms/1/coverage");
  await expect(page.getByText(/^This version is no longer in use/)).toBeVisible();
  await expect(page.getByRole("link", { name: /^Pending/ })).toHaveCount(0);
});

test("coverage as of an earlier day", async ({ page, musette }) => {
  publish(musette);
  musette.addRider("r-1", "Ottilie Fernwick");
  musette.importConsents([["r-1", 1, true, "en"]]);
  await signInByLink(page, musette);
  await page.goto("/console/terms/1/coverage");
  await expect(page.getByText("100% accepted: 1 of 1 riders")).toBeVisible();
  await page.getByLabel("Date", { exact: true }).fill("2020-02-29");
  await expect(page.getByText("Acceptance at the end of Feb 29, 2020")).toBeVisible();
  await expect(page.getByText("0 riders will be asked.")).toBeVisible();
  await expect(page).toHaveURL(/as_of=/);
  await page.reload();
  await expect(page.getByLabel("Date", { exact: true })).toHaveValue("2020-02-29");
  await page.getByRole("button", { name: "Now" }).click();
  await expect(page.getByText("100% accepted: 1 of 1 riders")).toBeVisible();
  await expect(page).not.toHaveURL(/as_of=/);
});

test("compares two texts word by word, in one text and side by side, in each language", async ({
  page,
  musette,
}) => {
  const version = (name: string, ...more: readonly string[]) =>
    musette.publish(
      own(`${name}.en`),
      "FREELANCER",
      "Freelancer agreement",
      ...["--mandatory", "--variant", `ar=${own(`${name}.ar`)}:اتفاقية`, ...more],
    );
  version("freelancer-agreement");
  version("freelancer-agreement-2-0", "--replaces", "1");
  await signInByLink(page, musette);
  await page.goto("/console/terms/2");
  await page.getByText("Compare Version 1 with Version 2").click();
  await expect(page.getByText(/words added|Words added/i)).toBeVisible();
  await expect(page.locator(".mu-changes-text ins").first()).toContainText("dded");

  await page.getByLabel("Side by side").check();
  const table = page.locator(".mu-changes-beside");
  await expect(table.getByRole("columnheader")).toHaveText(["Version 1", "Version 2"]);
  // Removed text is only on the left, added text only on the right.
  await expect(table.locator("td:first-child ins")).toHaveCount(0);
  await expect(table.locator("tr > td:nth-child(2) del")).toHaveCount(0);
  await expect(table.locator("del").first()).toBeVisible();

  await page.locator("main").getByLabel("Language").selectOption({ label: "Arabic" });
  await expect(table.locator("td[dir=rtl]").first()).toBeVisible();
  await expect(table.locator("tbody")).toHaveAttribute("lang", "ar");

  // The same in a draft: before it is published, and in the confirmation dialog.
  await page.getByRole("button", { name: "Create new version" }).click();
  await page.getByRole("complementary", { name: "Publishing checklist" }).waitFor();
  const english = page.getByRole("region", { name: "English", exact: true });
  const choosing = page.waitForEvent("filechooser");
  await english.getByRole("button", { name: ": English" }).last().click();
  await (await choosing).setFiles(own("freelancer-agreement.en"));
  await expect(english.getByText(/^PDF · /)).toBeVisible({ timeout: 20_000 });
  await page.getByText("Compare Version 2 with this draft").click();
  await expect(page.locator("main .mu-changes-text ins").first()).toBeVisible();
});

test("warns about one file for two languages before it is published", async ({ page, musette }) => {
  const arabic = `ar=${pdf("marketing")}:رسائل`;
  musette.publish(pdf("scan"), "MARKETING", "Messages", "--variant", arabic);
  await signInByLink(page, musette);
  await page.goto("/console/terms/1");
  await page.getByRole("button", { name: "Create new version" }).click();
  for (const language of ["English", "Arabic"]) {
    const part = page.getByRole("region", { name: language, exact: true });
    const choosing = page.waitForEvent("filechooser");
    await part
      .getByRole("button", { name: `: ${language}` })
      .last()
      .click();
    await (await choosing).setFiles(pdf("scan"));
    await expect(part.getByText("PDF · 1 page")).toBeVisible({ timeout: 20_000 });
  }
  const warning = page.getByText("English and Arabic have the same PDF.");
  await expect(warning.first()).toBeVisible();
  await page.getByRole("button", { name: "Publish version…" }).click();
  await expect(page.getByRole("dialog").getByText(/have the same PDF/)).toBeVisible();
});

test.describe("in Britain", () => {
  test.use({ locale: "en-GB" });

  test("dates are British", async ({ page, musette }) => {
    publish(musette, "--effective-from", "2100-05-13T12:00:00Z");
    await signInByLink(page, musette);
    await page.goto("/console/terms/1");
    await expect(page.getByText(/^13 May 2100/).first()).toBeVisible();
  });
});
