import { join } from "node:path";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { PASSWORD, signInByLink, switchUser } from "./admin";
import { confirmBlocked, takeEffectNow } from "./publishing";

test.use({ store: "empty", viewport: { width: 1280, height: 900 } });

const LENA = "lena@larkspur.example";
const INES = "ines@larkspur.example";

test("a head of legal publishes with an approval in one of their countries, and proves who agreed", async ({
  page,
  musette,
  allow,
}) => {
  test.setTimeout(120_000);
  allow(/status of 40[39]/);
  musette.publish(join(prepared, "scan.pdf"), "FREELANCER", "Basic terms", "--mandatory");
  musette.addColleague("lena", LENA, PASSWORD, ["legal@DE", "legal@UY"]);
  musette.addColleague("ines", INES, PASSWORD, ["legal@UY"]);
  musette.addColleague("didi", "didi@larkspur.example", PASSWORD, ["legal@DE"]);
  musette.addRider("rider-uy", "Ottilie Fenwick");
  musette.addRider("rider-fr", "Bram Tolliver");
  await signInByLink(page, musette);
  const admin = {
    Authorization: `Bearer ${musette.tokens("ada-admin", 900).dhhToken}`,
    "Content-Type": "application/json",
  };
  const put = async (path: string, body: object) => {
    const answer = await fetch(`${musette.url}/api/admin/v1/${path}`, {
      method: "PUT",
      headers: admin,
      body: JSON.stringify(body),
    });
    expect(answer.ok, `${path} ${answer.status} ${await answer.text()}`).toBe(true);
  };
  await put("people/rider-uy/market", { market: "UY" });
  await put("people/rider-fr/market", { market: "FR" });
  await page.goto("/console/settings/approval");
  await page.getByLabel("Applies to").selectOption("terms");
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByText("Terms: all")).toBeVisible();

  await switchUser(page, LENA);
  await page.goto("/console/terms");
  await page.getByRole("button", { name: "Create draft" }).click();
  // The list has a field with that name as well.
  await expect(page).toHaveURL(/\/terms\/drafts\//);
  await page.getByLabel("Market", { exact: true }).fill("UY");
  await page.getByLabel("Type").fill("FREELANCER");
  await page.getByLabel("Add language").selectOption("English");
  await page.getByRole("button", { name: "Add language", exact: true }).click();
  const english = page.getByRole("region", { name: "English", exact: true });
  await english.getByLabel("Title").fill("Rules of Uruguay");
  const choosing = page.waitForEvent("filechooser");
  await english.getByRole("button", { name: ": English" }).last().click();
  await (await choosing).setFiles(join(prepared, "marketing.pdf"));
  await expect(english.getByText(/^PDF · \d+ pages?/)).toBeVisible({ timeout: 20_000 });
  await takeEffectNow(page);
  await expect(page.getByText(/^Saved/).first()).toBeVisible();
  const draft = page.url();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Publish version…" }).click();
  await confirmBlocked(dialog, 1);
  await dialog.getByRole("button", { name: "Publish version", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("Approval required: 0 of 1");

  // A colleague with roles for other countries does not see it. A colleague with roles for these
  // countries approves it.
  await page.reload();
  await switchUser(page, "didi@larkspur.example");
  await page.goto("/console/approvals");
  await expect(page.getByText("No pending approvals").first()).toBeVisible();
  await expect(page.getByText("Rules of Uruguay")).toHaveCount(0);
  await switchUser(page, INES);
  await page.goto("/console/approvals");
  await expect(page.getByText("Rules of Uruguay").first()).toBeVisible();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByRole("button", { name: "Withdraw approval" })).toBeVisible();

  await switchUser(page, LENA);
  await page.goto(draft);
  await page.getByRole("button", { name: "Publish version…" }).click();
  await confirmBlocked(dialog, 1);
  await dialog.getByRole("button", { name: "Publish version", exact: true }).click();
  await expect(page).toHaveURL(/\/console\/terms\/2$/);

  // One of the two riders is in their countries, and agrees.
  const rider = musette.tokens("rider-uy", 900).dhhToken;
  const response = await fetch(`${musette.url}/api/rooster/v3/terms/consents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${rider}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      user_id: "rider-uy",
      user_type: "RIDER",
      consents: [
        { accepted: true, terms_and_conditions_id: 1, consented_at: new Date().toISOString() },
        { accepted: true, terms_and_conditions_id: 2, consented_at: new Date().toISOString() },
      ],
    }),
  });
  expect(response.status).toBe(201);
  await page.goto("/console/terms/2/coverage");
  await expect(page.getByText(/1 of 1|100/).first()).toBeVisible();
  await page.goto("/console/people");
  await expect(page.getByRole("link", { name: "Ottilie Fenwick" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Bram Tolliver" })).toHaveCount(0);
  await page.goto("/console/consents");
  await expect(
    page.getByRole("row", { name: /Rules of Uruguay|FREELANCER/ }).first(),
  ).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export rows" }).click();
  await downloading;
  await expect(page.getByText(/^Exported: 2 rows,/)).toBeVisible();
  await page.goto("/console/people/rider-uy");
  // The rider agreed to the text of their country and to the general one.
  await expect(page.getByRole("row", { name: /^Basic terms/ })).toContainText("Accepted");
  await expect(page.getByRole("row", { name: /^Rules of Uruguay/ })).toContainText("Accepted");
  await page.goto("/console/people/rider-uy/account");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download case file" }).click();
  expect((await saving).suggestedFilename()).toMatch(/\.zip$/);

  // For other countries nothing is shown, with an explanation.
  await page.goto("/console/people/rider-fr");
  await expect(page.getByText(/^Your role does not allow this/)).toBeVisible();
  await expect(page.getByText("Bram Tolliver")).toHaveCount(0);
});
