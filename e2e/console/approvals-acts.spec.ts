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
  await page.getByLabel("Applies to").selectOption("terms");
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByText("Terms: all")).toBeVisible();

  await switchUser(page, OLE);
  await page.goto("/console/terms/1");
  await page.getByRole("button", { name: "Retire document…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Now").check();
  await dialog.getByRole("button", { name: "Retire document" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Approval required: 0 of 1");
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(page.getByText("It is proposed.")).toBeVisible();
  await page.goto("/console/approvals");
  await expect(page.getByRole("heading", { name: "Retire “Rider handbook”" })).toBeVisible();
  await expect(page.getByText("You cannot approve your own change")).toBeVisible();

  await switchUser(page, EMAIL);
  await page.goto("/console/approvals");
  const proposal = page.getByRole("listitem").filter({ hasText: "Retire “Rider handbook”" });
  await expect(proposal.getByText("when it is applied", { exact: true })).toBeVisible();
  const { violations } = await axeBuilder(page).analyze();
  expect(violations).toEqual([]);
  await proposal.getByRole("button", { name: "Approve", exact: true }).click();
  await proposal.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("The change is applied.")).toBeVisible();
  await page.goto("/console/terms/1");
  await expect(page.getByText(/^Retired on/)).toBeVisible();

  await page.goto("/console/settings/approval");
  await page.getByRole("button", { name: "Remove the rule for Terms: all" }).click();
  await expect(page.getByRole("alert")).toContainText("Approval required: 0 of 1");
  await page.getByRole("button", { name: "Request approval" }).click();
  await expect(page.getByText("It is proposed.")).toBeVisible();
  await expect(page.getByText("Terms: all")).toBeVisible();

  await switchUser(page, OLE);
  await page.goto("/console/approvals");
  const rules = page.getByRole("listitem").filter({ hasText: "Change the rules of approval" });
  await expect(rules.getByText("1 approval before, 0 approvals afterwards")).toBeVisible();
  await rules.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(rules.getByRole("button", { name: "Withdraw approval" })).toBeVisible();
  // Only admins can apply rules.
  await expect(rules.getByRole("button", { name: "Apply change" })).toHaveCount(0);

  await switchUser(page, EMAIL);
  await page.goto("/console/approvals");
  await rules.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("The change is applied.")).toBeVisible();
  await page.goto("/console/settings/approval");
  await expect(page.getByText("No approval rules")).toBeVisible();
});
