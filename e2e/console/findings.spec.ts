import type { Page } from "@playwright/test";
import { ACTIVE, BOTH, INCOMPLETE, UNDRAWABLE } from "../setup/hostile";
import type { Musette } from "../setup/musette";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

const english = (page: Page) => page.getByRole("region", { name: "English", exact: true });

/** Takes pictures for inspection if `MUSETTE_SEE=DIR` is set. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSETTE_SEE;
  if (!folder) return;
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
}

async function draftInEnglish(page: Page, musette: Musette): Promise<void> {
  await signInByLink(page, musette);
  await page.goto("/console/terms");
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.getByRole("complementary", { name: "Publishing checklist" }).waitFor();
  await page.getByLabel("Type", { exact: true }).fill("freelancer");
  await page.getByLabel("Add language").selectOption("English");
  await page.getByRole("button", { name: "Add language", exact: true }).click();
  await english(page).getByLabel("Title").fill("Rider handbook");
}

async function upload(page: Page, bytes: Buffer): Promise<void> {
  const file = { name: "terms.pdf", mimeType: "application/pdf", buffer: bytes };
  await english(page).locator("input[type=file]").setInputFiles(file);
}

test("explains each kind of finding: what it is, where, and what to do", async ({
  page,
  musette,
}) => {
  test.setTimeout(120_000);
  await draftInEnglish(page, musette);
  const findings = english(page).getByRole("listitem");
  const check = page.getByRole("complementary", { name: "Publishing checklist" });
  for (const [obstacle, all] of [
    [
      "Parts of this PDF cannot be shown. Print it to a new PDF and upload that file, or enter a reason when you publish.",
      INCOMPLETE,
    ],
    [
      "This PDF contains active content. Print it to a new PDF and upload that file, or enter a reason when you publish.",
      ACTIVE,
    ],
  ] as const) {
    for (const { says, bytes } of all) {
      await upload(page, bytes);
      await expect(findings.filter({ hasText: says })).toHaveCount(1, { timeout: 20_000 });
      await expect(check).toContainText(obstacle);
    }
  }
  await takePicture(page, "finding");
});

test("publishes a document with findings only with reasons, which the audit log keeps", async ({
  page,
  musette,
}) => {
  test.setTimeout(60_000);
  await draftInEnglish(page, musette);
  await page.getByLabel("Version label", { exact: true }).fill("1.1");
  await upload(page, BOTH);
  await expect(english(page)).toContainText("The fee is 99 euros", { timeout: 20_000 });
  await takePicture(page, "findings-draft");
  await page.getByRole("button", { name: "Publish version…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("text of a note not shown The fee is 99 euros");
  await expect(dialog).toContainText("a script (JavaScript) OpenAction");
  await takePicture(page, "findings-dialog");
  const publish = dialog.getByRole("button", { name: "Publish version", exact: true });
  const [unreadable, active] = [
    dialog.getByLabel("Reason for publishing although parts are not shown"),
    dialog.getByLabel("Reason for publishing with active content"),
  ];
  await publish.click();
  await expect(unreadable).toBeFocused();
  await unreadable.fill("The note is a remark of the printer.");
  await publish.click();
  await expect(active).toBeFocused();
  await active.fill("The script only sets the zoom.");
  await publish.click();
  await expect(page).toHaveURL(/\/console\/terms\/1$/);
  await expect(page.getByText("1.1").first()).toBeVisible();
  await page.goto("/console/audit?event=term_published");
  const published = page.getByRole("row").filter({ hasText: "Term published" });
  await expect(published).toContainText("The note is a remark of the printer.");
  await expect(published).toContainText("The script only sets the zoom.");
  await takePicture(page, "findings-audit");
});

test("accepts a file without any renderable page only with a reason", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 422/);
  await draftInEnglish(page, musette);
  await upload(page, UNDRAWABLE);
  const alert = english(page).getByRole("alert");
  await expect(alert).toContainText("This PDF cannot be rendered", { timeout: 20_000 });
  await takePicture(page, "undrawable");
  const reason = english(page).getByLabel(/^Reason for publishing/);
  await english(page).getByRole("button", { name: "Use this file anyway" }).click();
  await expect(reason).toBeFocused();
  await reason.fill("An archive of before, which nobody has as anything else.");
  await english(page).getByRole("button", { name: "Use this file anyway" }).click();
  await expect(english(page)).toContainText("The server could not render this PDF.", {
    timeout: 20_000,
  });
  await takePicture(page, "undrawable-taken");
});
