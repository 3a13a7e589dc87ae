import { expect, test } from "../setup/test";
import { PASSWORD, signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("creates a key for an environment, shows it once, and revokes it", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings");
  await expect(page).toHaveURL(/\/console\/settings\/keys$/);
  await page.getByRole("link", { name: "Environments" }).last().click();
  await page.getByLabel("Name").fill("staging");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText("staging is added.")).toBeVisible();

  await page.goto("/console/settings/keys?env=staging");
  await page.getByRole("button", { name: "Create SDK key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Rider app, web");
  await dialog.getByRole("button", { name: "Create SDK key" }).click();
  const key = (await dialog.getByRole("code").textContent()) ?? "";
  const ask = () =>
    fetch(`${musette.url}/api/flags/v3/features-list/keys`, {
      headers: { Authorization: `Bearer ${key}` },
    });
  expect((await ask()).status).toBe(200);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  await page.getByRole("button", { name: "Revoke Rider app, web" }).click();
  await expect(dialog).toContainText("stop receiving flags");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("No SDK keys in this environment")).toBeVisible();
  expect((await ask()).status).toBe(401);
  await page.getByLabel("Show revoked keys").check();
  await expect(page).toHaveURL(/all=true/);
  await expect(page.getByRole("row").filter({ hasText: "Rider app, web" })).toContainText(
    "Revoked",
  );
});

test("archives an environment after its name is typed, and restores it", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/environments");
  await page.getByLabel("Name").fill("sandbox");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: "Archive sandbox" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("sandbox");
  await dialog.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Archive sandbox" })).toBeVisible();
  await page.getByLabel("Name").fill("sandbox");
  await expect(page.getByText("This name is already used.")).toBeVisible();
});

test("an operator sees environments and adds none; without one, every page says so", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/environments");
  await expect(page.getByText("production", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Archive production" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("production");
  await dialog.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  for (const path of ["flags", "experiments", "holdouts"]) {
    await page.goto(`/console/${path}`);
    await expect(page.getByText("There is no environment yet.")).toBeVisible();
  }
  await page.getByRole("link", { name: "Add environment" }).click();
  await expect(page.getByRole("heading", { name: "Add an environment" })).toBeVisible();

  musette.addOperator("ole-operator", "ole@larkspur.example", PASSWORD);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("E-mail").fill("ole@larkspur.example");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto("/console/holdouts");
  await expect(page.getByText("Ask an admin to add an environment.")).toBeVisible();
  await page.goto("/console/settings/environments");
  await expect(
    page.getByText("Only admins can add, archive and restore environments."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Add|Bring|Archive)/ })).toHaveCount(0);
});

test("shows how codes are delivered, and the server's version", async ({ page, musette }) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/sign-in");
  await expect(page.getByText("0 sent, 0 failed")).toBeVisible();
  await page.getByRole("link", { name: "About" }).click();
  await expect(page.getByText("embedded database")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Data retention" })).toBeVisible();
});
