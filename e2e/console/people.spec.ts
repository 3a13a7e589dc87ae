import { expect, test } from "../setup/test";
import { EMAIL, PASSWORD, signInByLink } from "./admin";
import { submitConsent } from "./agreeing";

test.use({ viewport: { width: 1280, height: 800 } });

test("finds a person, and shows what they agreed to", async ({ page, musette }) => {
  await submitConsent(musette, "demo-rider-1");
  await signInByLink(page, musette);
  await page.getByRole("navigation").getByRole("link", { name: "People" }).click();
  await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search people")).toBeFocused();
  await page.keyboard.type("fernw");
  await expect(page).toHaveURL(/\/console\/people\?q=fernw$/);
  await expect(page.getByRole("cell").getByRole("link")).toHaveText(["Ottilie Fernwick"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/people\/demo-rider-1$/);

  const row = (title: string) => page.getByRole("row").filter({ hasText: title });
  await expect(row("Freelancer agreement")).toContainText("Accepted");
  await expect(row("Freelancer agreement")).toContainText("Version 1 · Arabic");
  await expect(row("Marketing messages")).toContainText("Declined");
  await page.getByRole("link", { name: "Consents" }).last().click();
  await expect(page).toHaveURL(/\/console\/people\/demo-rider-1\/consents$/);
  await expect(page.getByRole("row")).toHaveCount(5);
});

test("explains an empty search, and leads back from a mistyped address", async ({
  page,
  musette,
  allow,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/people?q=zebulon&role=rider");
  await expect(page.getByText("No people found")).toBeVisible();
  allow(/status of 404/);
  await page.goto("/console/people/zebulon");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No person has this ID");
  await page
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "People" })
    .click();
  await expect(page.getByText("Bram Tolliver")).toBeVisible();
});

test("ends one session, then all", async ({ page, musette }) => {
  for (let session = 0; session < 3; session++) musette.tokens("demo-rider-2", 900);
  await signInByLink(page, musette);
  await page.goto("/console/people/demo-rider-2/sessions");
  const sessions = page.getByRole("listitem").filter({ hasText: "Last used" });
  await expect(sessions).toHaveCount(3);
  await sessions.first().getByRole("button", { name: "End session" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
  await expect(sessions).toHaveCount(2);
  await page.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End all sessions" }).click();
  await expect(page.getByText("No active sessions")).toBeVisible();
});

test("keeps the typed text of a new person over a reload", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.goto("/console/people");
  await page.getByRole("button", { name: "Add person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User id").fill("rider-4711");
  await dialog.getByLabel("Name").fill("Corvin Ashgrove");
  await page.reload();
  await page.getByRole("button", { name: "Add person" }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue("Corvin Ashgrove");
  await dialog.getByRole("button", { name: "Add person" }).click();
  await expect(page.getByText("rider-4711 added")).toBeVisible();
  await expect(page.getByRole("cell").getByRole("link", { name: "Corvin Ashgrove" })).toBeVisible();
});

test("shows a new operator's link once", async ({ page, musette, browser }) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/users");
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User id").fill("bea-operator");
  await dialog.getByLabel("E-mail").fill("bea@larkspur.example");
  await dialog.getByRole("button", { name: "Add person" }).click();
  const link = await dialog.getByRole("code").textContent();
  await dialog.getByRole("button", { name: "Done" }).click();

  const other = await browser.newContext();
  const bea = await other.newPage();
  await bea.goto(link ?? "");
  await bea.getByLabel("New password").fill(PASSWORD);
  await bea.getByLabel("Confirm password").fill(PASSWORD);
  await bea.getByRole("button", { name: "Set password and sign in" }).click();
  await bea.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  // Actions for admins are not offered to her.
  await bea.goto(`${musette.url}/console/people/demo-rider-1/account`);
  await expect(bea.getByText("Only admins can change roles and erase people.")).toBeVisible();
  await expect(bea.getByRole("button", { name: "Erase person" })).toHaveCount(0);
  await other.close();
});

test("keeps the last admin, and confirms before the person gives up their own role", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/people/ada-admin/account");
  await expect(page.getByRole("checkbox", { name: /^Admin/ })).toBeDisabled();

  musette.addAdmin("ida-admin", "ida@larkspur.example");
  await page.reload();
  await page.getByRole("checkbox", { name: /^Support/ }).check();
  await page.getByRole("checkbox", { name: /^Admin/ }).uncheck();
  await page.getByRole("button", { name: "Save roles" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Only another admin can restore it");
  await dialog.getByRole("button", { name: "Save roles" }).click();
  await expect(page).toHaveURL(/\/console\/sign-in/);
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto("/console/people");
  await expect(page.getByText("Bram Tolliver")).toBeVisible();
  // Support adds only riders, and publishes nothing.
  await page.getByRole("button", { name: "Add person" }).click();
  await expect(dialog.getByRole("checkbox", { name: /^Rider/ })).toBeEnabled();
  await expect(dialog.getByRole("checkbox", { name: /^Worker/ })).toBeDisabled();
  await expect(dialog.getByRole("checkbox", { name: /^Admin/ })).toHaveCount(0);
  await page.goto("/console/terms");
  await expect(
    page.getByText("Only these roles can make changes here: Legal or Admin.").first(),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Create draft" })).toHaveCount(0);
});

test("downloads a person's data, then erases the person", async ({ page, musette, allow }) => {
  await submitConsent(musette, "demo-rider-1");
  await signInByLink(page, musette);
  await page.goto("/console/people/demo-rider-1/account");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download data", exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/^person-demo-rider-1-.*\.json$/);

  await page.getByRole("button", { name: "Erase person" }).click();
  const dialog = page.getByRole("dialog");
  const erase = dialog.getByRole("button", { name: "Erase person" });
  await expect(erase).toBeDisabled();
  await dialog.getByRole("textbox").fill("demo-rider-1");
  await erase.click();
  await expect(page.getByText("demo-rider-1 is erased.")).toBeVisible();
  await expect(page.getByText("Bram Tolliver")).toBeVisible();
  await expect(page.getByText("Ottilie Fernwick")).toHaveCount(0);
  allow(/status of 404/);
  await page.goto("/console/people/demo-rider-1");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No person has this ID");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("finds a person and shows their terms without scrolling sideways", async ({
    page,
    musette,
  }) => {
    await signInByLink(page, musette);
    await page.goto("/console/people");
    await page.getByLabel("Search people").fill("bram");
    await page.getByRole("link", { name: "Bram Tolliver" }).click();
    await expect(page.getByText("Blocked: required documents are not accepted")).toBeVisible();
    await expect(page.getByText("Outstanding").first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

test("tells an operator that only admins may change an admin's account", async ({
  page,
  musette,
}) => {
  musette.addAdmin("ada-admin", EMAIL);
  musette.tokens("ada-admin", 900);
  musette.addOperator("bea-operator", "bea@larkspur.example", PASSWORD);
  musette.tokens("bea-operator", 900);
  const refused: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill("bea@larkspur.example");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  await page.goto("/console/people/ada-admin/sessions");
  await expect(page.getByText("Only admins can see and end these sessions.")).toBeVisible();
  await expect(page.getByRole("button", { name: "End session" })).toHaveCount(0);
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await expect(page.getByText("Only admins can manage this account")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download" })).toHaveCount(0);
  // Her own sessions, and those of people who are not admins, are visible.
  await page.goto("/console/people/bea-operator/sessions");
  await expect(page.getByRole("listitem").filter({ hasText: "Last used" })).not.toHaveCount(0);
  expect(refused).toEqual([]);
});
