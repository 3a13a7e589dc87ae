import { join } from "node:path";
import { axeBuilder } from "../setup/axe";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { EMAIL, PASSWORD, signInByLink, switchUser } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

const OLE = "ole@larkspur.example";

test("a draft of terms is sent back, changed, approved by another person and published", async ({
  page,
  musette,
  allow,
}) => {
  test.setTimeout(90_000);
  allow(/status of 409/);
  musette.publish(join(prepared, "scan.pdf"), "FREELANCER", "Rider handbook", "--mandatory");
  musette.addOperator("ole-operator", OLE, PASSWORD);
  await signInByLink(page, musette);
  await page.goto("/console/settings/approval");
  await page.getByLabel("Applies to").selectOption("terms");
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByText("Terms: all")).toBeVisible();

  await switchUser(page, OLE);
  await page.goto("/console/terms/1");
  await page.getByRole("button", { name: "Create new version" }).click();
  const summary = page.locator("#draft-summary");
  await summary.fill("Lights are checked.");
  const choosing = page.waitForEvent("filechooser");
  const english = page.getByRole("region", { name: "English", exact: true });
  await english.getByRole("button", { name: ": English" }).last().click();
  await (await choosing).setFiles(join(prepared, "marketing.pdf"));
  await expect(english.getByText(/^PDF · \d+ pages?/)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(/^Saved/).first()).toBeVisible();
  const draft = page.url();
  const dialog = page.getByRole("dialog");
  const publish = async () => {
    await page.getByRole("button", { name: "Publish version…" }).click();
    await dialog.getByRole("button", { name: "Publish version", exact: true }).click();
  };
  await publish();
  await expect(dialog.getByRole("alert")).toContainText("Approval required: 0 of 1");
  await page.goto("/console/approvals");
  await expect(page.getByText("You cannot approve your own change")).toBeVisible();
  await expect(page.getByRole("button", { name: "Request changes…" })).toHaveCount(0);

  await switchUser(page, EMAIL);
  await page.goto("/console/approvals");
  await expect(page.getByText("Lights are checked.").first()).toBeVisible();
  const { violations } = await axeBuilder(page).analyze();
  expect(violations).toEqual([]);
  await page.getByRole("button", { name: "Request changes…" }).click();
  await dialog.getByLabel("Comment").fill("Which lights?");
  await dialog.getByRole("button", { name: "Request changes" }).click();
  await expect(page.getByText("Which lights?")).toBeVisible();

  await switchUser(page, OLE);
  await page.goto("/console/approvals");
  await expect(page.getByText("Which lights?")).toBeVisible();
  await page.goto(draft);
  await summary.fill("Front and rear lights are checked.");
  await expect(page.getByText(/^Saved/).first()).toBeVisible();

  await switchUser(page, EMAIL);
  await page.goto("/console/approvals");
  await expect(page.getByText("Front and rear lights are checked.").first()).toBeVisible();
  // The edit resolved the comment.
  await expect(page.getByText("Which lights?")).toHaveCount(0);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByRole("button", { name: "Withdraw approval" })).toBeVisible();

  await switchUser(page, OLE);
  await page.goto(draft);
  await publish();
  await expect(page).toHaveURL(/\/console\/terms\/2$/);
  await expect(page.getByText("“Rider handbook” is published.")).toBeVisible();
});
