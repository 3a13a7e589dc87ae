import { createHmac } from "node:crypto";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { EMAIL, PASSWORD, signInByLink } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

test("a one-time link sets the password once", async ({ page, musette, allow }) => {
  await signInByLink(page, musette);
  await expect(page.getByText("ada-admin").first()).toBeVisible();
  // No script can read the refresh token.
  expect(await page.evaluate(() => document.cookie)).not.toContain("refresh_token");

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/console\/sign-in$/);
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill("another sentence");
  allow(/status of 401/);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("The e-mail address or the password is wrong.");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
});

test("keeps the session with a cookie for exactly this host", async ({ page, musette }) => {
  await signInByLink(page, musette);
  const named = async (name: string) =>
    (await page.context().cookies()).find((cookie) => cookie.name === name);
  expect(await named("__Host-refresh_token")).toMatchObject({
    httpOnly: true,
    secure: true,
    sameSite: "Strict",
    path: "/",
    domain: new URL(musette.url).hostname,
  });
  expect(await named("refresh_token")).toBeUndefined();
  // The browser sends the cookie by itself, and the next one replaces it.
  const before = (await named("__Host-refresh_token"))?.value;
  const refreshed = await page.evaluate(async () => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/api/session/v1/refresh", { method: "POST", headers });
    return { status: answer.status, names: Object.keys(await answer.json()) };
  });
  expect(refreshed.status).toBe(200);
  expect(refreshed.names).not.toContain("refreshToken");
  expect((await named("__Host-refresh_token"))?.value).not.toBe(before);
});

test("a person who was signed out returns to the page where they were going", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  await page.context().clearCookies();
  await page.goto("/console/audit?event=password_set");
  await expect(page).toHaveURL(/\/console\/sign-in\?next=/);
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/console\/audit\?event=password_set$/);
  await expect(page.getByRole("row")).toHaveCount(2);
});

test("explains a session that an admin ended elsewhere, and leads back to the page", async ({
  page,
  musette,
  browser,
  allow,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/audit?event=password_set");
  await expect(page.getByRole("row")).toHaveCount(2);

  const token = musette.addAdmin("bea-admin", "bea@larkspur.example");
  const elsewhere = await browser.newContext({ baseURL: musette.url });
  const other = await elsewhere.newPage();
  await other.goto(`/console/sign-in#${token}`);
  await other.getByLabel("New password").fill(PASSWORD);
  await other.getByLabel("Confirm password").fill(PASSWORD);
  await other.getByRole("button", { name: "Set password and sign in" }).click();
  await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await other.goto("/console/people/ada-admin/sessions");
  await other.getByRole("button", { name: "End all sessions" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "End all sessions" }).click();
  await expect(other.getByRole("dialog")).toHaveCount(0);
  await elsewhere.close();

  allow(/status of 401/);
  await page.getByLabel("Event").selectOption("Signed in");
  await expect(page.getByRole("alert")).toHaveText("Your session has ended. Sign in again.");
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/console\/audit\?event=signed_in$/);
  await expect(page.getByRole("row").nth(1)).toBeVisible();

  // The message about the former session is gone.
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/console\/sign-in$/);
  await expect(page.getByLabel("E-mail")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a new server explains how its first admin signs in, until there is one", async ({
  page,
  musette,
}) => {
  await page.goto("/console/");
  await expect(page.getByRole("region", { name: "Create the first admin" })).toContainText(
    "musette user add --id you --role admin --email you@company.example",
  );
  await expect(page.getByText(`If the link does not start with ${musette.url}`)).toBeVisible();
  await signInByLink(page, musette);
  const steps = page.getByRole("region", { name: "Setup checklist" });
  await expect(steps.getByRole("listitem")).toHaveText([
    /^Done: Add an admin/,
    /^To do: Publish a document/,
    /^Done: Add an environment.*production/,
    /^To do: Create an SDK key/,
    /^To do: Set up code delivery/,
    /^To do: Run a backup/,
  ]);
  await expect(page.getByRole("link", { name: "No backup yet" })).toBeVisible();
  musette.createFlagKey();
  musette.backup();
  await page.reload();
  await expect(steps.getByRole("listitem").nth(3)).toHaveText(/^Done: Create an SDK key/);
  await expect(steps.getByRole("listitem").nth(5)).toHaveText(/^Done: Run a backup.*Last backup/);
  await steps.getByRole("button", { name: "Hide" }).click();
  await expect(steps).toHaveCount(0);
  await page.goto("/console/sign-in");
  await expect(page.getByLabel("E-mail")).toBeVisible();
  await expect(page.getByText("Create the first admin")).toHaveCount(0);
});

test("tells a signed-in rider that the console is not for them", async ({ page, musette }) => {
  musette.addRider("demo-rider-1", "Ottilie Fernwick");
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/console");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "You do not have access to the console",
  );
});

/** Returns the current code of an authenticator with this key (RFC 6238). */
function digits(key: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...key.replace(/ /g, "")].map((letter) =>
    letters.indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac("sha1", Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(step)
    .digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

test("asks an admin from the first day to set up an authenticator, and sets it up", async ({
  page,
  musette,
}) => {
  await signInByLink(page, musette);
  const banner = page.getByRole("complementary", { name: "Set up an authenticator app" });
  await expect(banner).toContainText("you need an authenticator app to sign in");
  // Other pages begin with their title; the account menu has the link.
  await page.goto("/console/audit");
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await expect(banner).toHaveCount(0);
  const menu = page.getByRole("banner");
  await menu.getByRole("link", { name: "Set up an authenticator app" }).click();
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const key = await page.locator("code").textContent();
  await page.getByRole("textbox", { name: "Code" }).fill(digits(key ?? ""));
  await page.getByRole("button", { name: "Verify code and sign in" }).click();
  await expect(page).toHaveURL(/\/console\/audit$/);
  await expect(page.getByRole("cell", { name: "Authenticator set up" })).toBeVisible();
  await expect(banner).toHaveCount(0);
});
