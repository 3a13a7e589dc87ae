import type { Page } from "@playwright/test";
import { expect, test } from "../setup/test";
import { EMAIL, PASSWORD, signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

const NEXT = "another sentence that is kept";

async function enter(page: Page, password: string): Promise<void> {
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("changing the password signs the other browser out", async ({
  page,
  musette,
  browser,
  allow,
}) => {
  await signInByLink(page, musette);
  const elsewhere = await browser.newContext({ baseURL: musette.url });
  const other = await elsewhere.newPage();
  await enter(other, PASSWORD);
  await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  await page.getByRole("link", { name: "Your account" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  await page.getByLabel("Current password").fill("a wrong password");
  await page.getByLabel("New password").fill(NEXT);
  await page.getByLabel("Confirm password").fill(NEXT);
  allow(/status of 422/);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("alert")).toHaveText("The password is wrong.");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveValue("");

  await other.goto("/console/audit");
  await expect(other).toHaveURL(/\/console\/sign-in/);
  await enter(other, NEXT);
  await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await elsewhere.close();
  // The current session continues.
  await page.goto("/console/audit?event=password_set");
  await expect(page.getByRole("row")).toHaveCount(3);
});

/** Answers the first request with 403 `reauthentication_required`, as the server does after a re-authentication expires. */
async function refuseOnce(page: Page, path: string): Promise<void> {
  await page.route(
    path,
    (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/problem+json",
        body: JSON.stringify({ status: 403, code: "reauthentication_required" }),
      }),
    { times: 1 },
  );
}

test("a change that needs re-authentication asks for the password, then continues", async ({
  page,
  musette,
  allow,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/service-keys");
  allow(/status of 4(03|22)/);
  await refuseOnce(page, "**/service-keys");
  await page.getByRole("button", { name: "Create service key" }).click();
  const form = page.getByRole("dialog", { name: "Create service key" });
  await form.getByLabel("Name").fill("payroll");
  await form.getByRole("button", { name: "Create service key" }).click();

  const ask = page.getByRole("dialog", { name: "Confirm that it is you" });
  await ask.getByLabel("Your password").fill("a wrong password");
  await ask.getByRole("button", { name: "Confirm" }).click();
  await expect(ask.getByRole("alert")).toHaveText("The password is wrong.");
  await ask.getByLabel("Your password").fill(PASSWORD);
  await ask.getByRole("button", { name: "Confirm" }).click();
  await expect(ask).toHaveCount(0);
  await expect(page.getByText(/^musette_service_/)).toBeVisible();
});

test("cancelling changes nothing, and keeps the typed text", async ({ page, musette, allow }) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/service-keys");
  allow(/status of 403/);
  await refuseOnce(page, "**/service-keys");
  await page.getByRole("button", { name: "Create service key" }).click();
  const form = page.getByRole("dialog", { name: "Create service key" });
  await form.getByLabel("Name").fill("payroll");
  await form.getByRole("button", { name: "Create service key" }).click();
  await page
    .getByRole("dialog", { name: "Confirm that it is you" })
    .getByRole("button", { name: "Cancel" })
    .click();
  await expect(form.getByRole("alert")).toContainText("you did not confirm that it is you");
  await expect(form.getByLabel("Name")).toHaveValue("payroll");
});

test("offers no sign-in link for the person's own account", async ({ page, musette }) => {
  await signInByLink(page, musette);
  musette.addOperator("o1", "o1@larkspur.example", PASSWORD);
  await page.goto("/console/people/o1/account");
  await expect(page.getByRole("button", { name: "Create sign-in link" })).toBeVisible();
  await page.goto("/console/people/ada-admin/account");
  await expect(page.getByRole("heading", { name: "Roles" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create sign-in link" })).toHaveCount(0);
});
