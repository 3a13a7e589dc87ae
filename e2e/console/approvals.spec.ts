import { axeBuilder } from "../setup/axe";
import { expect, test } from "../setup/test";
import { EMAIL, PASSWORD, signInByLink, switchUser } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("a change of flags is proposed, sent to another person, approved and applied", async ({
  page,
  musette,
}) => {
  musette.addOperator("ole-operator", "ole@larkspur.example", PASSWORD);
  await signInByLink(page, musette);
  await page.goto("/console/settings/approval");
  await page.getByLabel("Applies to").selectOption("flags");
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByText("Flags: all")).toBeVisible();

  await switchUser(page, "ole@larkspur.example");
  await page.goto("/console/flags");
  await page.getByRole("button", { name: "Create flag" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key").fill("night-rides");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Review and save" }).click();
  await dialog.getByLabel("Comment").fill("Rides after midnight");
  await expect(dialog.getByRole("alert")).toContainText("Approval required: 0 of 1");
  await expect(dialog.getByText("Takes effect immediately")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(page.getByText("Approval requested")).toBeVisible();
  // The next person who uses this browser must not see the draft.
  const stored = await page.evaluate(() => Object.keys(localStorage));
  expect(stored.filter((key) => key.endsWith("/night-rides"))).toEqual([]);
  await page.goto("/console/approvals");
  await expect(page.getByText("You cannot approve your own change")).toBeVisible();
  await expect(page.getByRole("button", { name: "Request changes…" })).toHaveCount(0);

  await switchUser(page, EMAIL);
  await page.goto("/console/approvals");
  await expect(page.getByText("night-rides").first()).toBeVisible();
  // The approver of a new flag sees its content.
  await expect(page.getByText("default variation").first()).toBeVisible();
  const { violations } = await axeBuilder(page).analyze();
  expect(violations).toEqual([]);
  await page.getByRole("button", { name: "Request changes…" }).click();
  await dialog.getByLabel("Comment").fill("In which towns?");
  await dialog.getByRole("button", { name: "Request changes" }).click();
  await expect(page.getByText("In which towns?")).toBeVisible();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("The change is applied.")).toBeVisible();
  await page.goto("/console/flags");
  await expect(page.getByRole("table").getByRole("link", { name: "night-rides" })).toBeVisible();
});
