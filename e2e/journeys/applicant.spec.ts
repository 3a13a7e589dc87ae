import { AGREEMENT, consentScreen, HANDBOOK, MARKETING } from "../consent/screen";
import { expect, test } from "../setup/test";

test("an applicant reads, agrees, keeps the receipt, withdraws and agrees again", async ({
  page,
  musette,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Try it as an applicant" }).click();
  await expect(page).toHaveURL(/\/apply$/);
  const { accept, all, box, open } = consentScreen(page);

  await open(HANDBOOK).click();
  const dialog = page.getByRole("dialog", { name: HANDBOOK });
  await expect(dialog.getByText("Page 1 of 30")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await expect(open(HANDBOOK)).toBeFocused();

  await box(AGREEMENT).click();
  await all.click();
  await accept.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Done. You have agreed.");
  const receipt = await page.locator("code").innerText();
  expect(page.url()).toMatch(new RegExp(`/receipt#${receipt}$`));
  expect(receipt.length).toBeGreaterThanOrEqual(22);
  const decisions = musette.decisions();
  expect(decisions.map((row) => [row.terms_and_conditions_id, row.accepted])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, true],
  ]);
  for (const row of decisions)
    expect(row).toMatchObject({ receipt_id: receipt, user_id: "", user_type: "APPLICANT" });
  expect(decisions.map((row) => row.evidence)).toEqual(Array(4).fill("presented"));

  await page.getByRole("main").getByRole("link", { name: "My agreements" }).click();
  const marketing = page.getByRole("listitem", { name: MARKETING });
  await expect(marketing).toContainText("Agreed on");
  const consent = marketing.getByRole("switch");
  await consent.click();
  await expect(marketing).toContainText("Withdrawn on");
  await expect(consent).not.toBeChecked();
  await consent.click();
  await expect(marketing).toContainText("Agreed on");
  await expect(consent).toBeChecked();
  // A required term cannot be withdrawn here, but it can be read again.
  const agreement = page.getByRole("listitem", { name: AGREEMENT });
  await expect(agreement.getByRole("switch")).toHaveCount(0);
  await agreement.getByRole("button", { name: `Read: ${AGREEMENT}` }).click();
  await expect(page.getByRole("dialog", { name: AGREEMENT })).toContainText("Page 1 of");
  await page.keyboard.press("Escape");

  expect(
    musette
      .decisions()
      .map((row) => [row.terms_and_conditions_id, row.accepted])
      .slice(4),
  ).toEqual([
    [4, false],
    [4, true],
  ]);
});

test("a receipt survives a reload", async ({ page }) => {
  await page.goto("/apply");
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.click();
  const id = page.locator("code");
  const receipt = await id.innerText();
  await page.reload();
  await expect(id).toHaveText(receipt);
});

test("going back from the receipt does not offer to agree again", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Try it as an applicant" }).click();
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.click();
  await expect(page.locator("code")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});
