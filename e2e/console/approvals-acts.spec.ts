import { join } from "node:path";
import { axeBuilder } from "../setup/axe";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { EMAIL, PASSWORD, signInByLink, switchUser } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

const OLE = "ole@larkspur.example";

test("proposes retiring a document and removing a rule, and applies both after an approval", async ({
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
  await page.getByLabel("What").selectOption("terms");
  await page.getByRole("button", { name: "Save a rule" }).click();
  await expect(page.getByText("Terms: all")).toBeVisible();

  await switchUser(page, OLE);
  await page.goto("/console/terms/1");
  await page.getByRole("button", { name: "Retire the document…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("At once").check();
  await dialog.getByRole("button", { name: "Retire the document" }).click();
  await expect(dialog.getByRole("alert")).toContainText("needs the approval of others: 0 of 1");
  await dialog.getByRole("button", { name: "Propose" }).click();
  await expect(page.getByText("It is proposed.")).toBeVisible();
  await page.goto("/console/approvals");
  await expect(page.getByRole("heading", { name: "Retire “Rider handbook”" })).toBeVisible();
  await expect(page.getByText("This is a change of your own")).toBeVisible();

  await switchUser(page, EMAIL);
  await page.goto("/console/approvals");
  const proposal = page.getByRole("listitem").filter({ hasText: "Retire “Rider handbook”" });
  await expect(proposal.getByText("when it is applied", { exact: true })).toBeVisible();
  const { violations } = await axeBuilder(page).analyze();
  expect(violations).toEqual([]);
  await proposal.getByRole("button", { name: "Approve", exact: true }).click();
  await proposal.getByRole("button", { name: "Apply now" }).click();
  await expect(page.getByText("The change is applied.")).toBeVisible();
  await page.goto("/console/terms/1");
  await expect(page.getByText(/^Retired since/)).toBeVisible();

  await page.goto("/console/settings/approval");
  await page.getByRole("button", { name: "Remove the rule for Terms: all" }).click();
  await expect(page.getByRole("alert")).toContainText("needs the approval of others: 0 of 1");
  await page.getByRole("button", { name: "Propose" }).click();
  await expect(page.getByText("It is proposed.")).toBeVisible();
  await expect(page.getByText("Terms: all")).toBeVisible();

  await switchUser(page, OLE);
  await page.goto("/console/approvals");
  const rules = page.getByRole("listitem").filter({ hasText: "Change the rules of approval" });
  await expect(rules.getByText("1 approval before, 0 approvals afterwards")).toBeVisible();
  await rules.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(rules.getByRole("button", { name: "Take my approval back" })).toBeVisible();
  // Only admins can apply rules.
  await expect(rules.getByRole("button", { name: "Apply now" })).toHaveCount(0);

  await switchUser(page, EMAIL);
  await page.goto("/console/approvals");
  await rules.getByRole("button", { name: "Apply now" }).click();
  await expect(page.getByText("The change is applied.")).toBeVisible();
  await page.goto("/console/settings/approval");
  await expect(page.getByText("Nothing needs an approval.")).toBeVisible();
});
