import { join } from "node:path";
import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import type { Musette } from "../setup/musette";
import { expect, test } from "../setup/test";
import { PASSWORD, signInByLink } from "./admin";
import { demo, importFlags, withChanged } from "./flags-data";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

const [OLE, PIA] = ["ole@larkspur.example", "pia@larkspur.example"];
const KEY = demo.flags[0]?.key ?? "";

/** Takes pictures for inspection if `MUSETTE_SEE=DIR` is set. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSETTE_SEE;
  if (!folder) return;
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const path = join(folder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

function clientOf(musette: Musette, user: string) {
  const headers = {
    Authorization: `Bearer ${musette.tokens(user, 900).dhhToken}`,
    "Content-Type": "application/json",
  };
  return async (method: string, path: string, body?: unknown, more: object = {}) => {
    const response = await fetch(`${musette.url}/api/admin/v1/${path}`, {
      method,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
}

/** Sets up flags whose changes need this many approvals, a signed-in admin, and two colleagues. */
async function setUpApprovals(page: Page, musette: Musette, approvals: number): Promise<void> {
  importFlags(musette, demo);
  musette.addOperator("ole-operator", OLE, PASSWORD, "Ole Berg");
  musette.addOperator("pia-operator", PIA, PASSWORD, "Pia Lund");
  await signInByLink(page, musette);
  const rules = [{ subject: "flags", scope: "*", approvals }];
  await clientOf(musette, "ada-admin")("PUT", "approval-rules", rules);
}

/** Proposes another owner of a flag as Ole, to be applied at once or at a time. */
async function propose(musette: Musette, at: string | null = null): Promise<void> {
  const ask = clientOf(musette, "ole-operator");
  const read = await ask("GET", "environments/production/flags");
  const { flags, ...rest } = await read.json();
  const changed = flags.map((flag: { key: string }) =>
    flag.key === KEY ? { ...flag, owner: "night-team" } : flag,
  );
  await ask(
    "POST",
    "environments/production/changes",
    { at, comment: "Hand over to the night team", document: { ...rest, flags: changed } },
    { "If-Match": read.headers.get("ETag") ?? "" },
  );
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

const approve = (page: Page) => page.getByRole("button", { name: "Approve", exact: true });

test("two colleagues approve a change, and both are named", async ({ page, musette }) => {
  await setUpApprovals(page, musette, 2);
  await propose(musette);
  // A person who edits the flag sees the proposal; a person who edits another flag does not.
  await page.goto(`/console/flags/${KEY}`);
  await expect(page.getByText("Change waiting for approval")).toBeVisible();
  await takePicture(page, "flag-with-a-proposal");
  await page.goto(`/console/flags/${demo.flags[1]?.key}`);
  await expect(page.getByRole("link", { name: "History" }).first()).toBeVisible();
  await expect(page.getByText("Change waiting for approval")).toHaveCount(0);
  await page.goto("/console/approvals");
  await expect(page.getByText("Proposed by Ole Berg")).toBeVisible();
  await approve(page).click();
  await expect(page.getByText("1 of 2 approvals")).toBeVisible();
  await expect(page.getByText("Approved by ada-admin.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Apply change" })).toHaveCount(0);
  await page.getByRole("button", { name: "Withdraw approval" }).click();
  await expect(page.getByText("0 of 2 approvals")).toBeVisible();
  await approve(page).click();
  await expect(page.getByText("1 of 2 approvals")).toBeVisible();

  await signIn(page, PIA);
  await page.goto("/console/approvals");
  await approve(page).click();
  await expect(page.getByText("2 of 2 approvals")).toBeVisible();
  await expect(page.getByText("Approved by ada-admin and Pia Lund.")).toBeVisible();
  expect((await axeBuilder(page).analyze()).violations).toEqual([]);
  await takePicture(page, "approvals-two");
  await page.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("The change is applied.")).toBeVisible();
  await expect(page.getByText("Proposed by Ole Berg")).toHaveCount(0);
});

test("a change that is sent back shows the reviewer and the reason", async ({ page, musette }) => {
  await setUpApprovals(page, musette, 1);
  await propose(musette);
  await signIn(page, PIA);
  await page.goto("/console/approvals");
  await approve(page).click();
  await page.getByRole("button", { name: "Request changes…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Comment").fill("They do not know yet");
  await dialog.getByRole("button", { name: "Request changes" }).click();
  // The author of the proposal reads this, and that the approvals are gone.
  await signIn(page, OLE);
  await page.goto("/console/approvals");
  await expect(page.getByText("Changes requested by Pia Lund:")).toBeVisible();
  await expect(page.getByText("They do not know yet")).toBeVisible();
  await expect(page.getByText("0 of 1 approvals")).toBeVisible();
  await page.evaluate(() => localStorage.setItem("musette.language", "ar"));
  await page.reload();
  await expect(page.getByText("They do not know yet")).toBeVisible();
  expect((await axeBuilder(page).analyze()).violations).toEqual([]);
  await takePicture(page, "approvals-sent-back");
});

test("refuses a proposal if another person has changed the same object", async ({
  page,
  musette,
}) => {
  await setUpApprovals(page, musette, 1);
  await propose(musette);
  importFlags(musette, withChanged(KEY, { owner: "day-team" }));
  await page.goto("/console/approvals");
  await approve(page).click();
  await page.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("Not applied: another user changed the same fields")).toBeVisible();
  await page.goto("/console/flags/planned");
  await expect(page.getByText("Proposed by Ole Berg")).toBeVisible();
  await expect(page.getByText("Not applied")).toBeVisible();
  await takePicture(page, "approvals-stale");
});

test("an admin bypasses an approval, and all colleagues can read the reason", async ({
  page,
  musette,
}) => {
  await setUpApprovals(page, musette, 1);
  await page.goto("/console/flags");
  await page.getByRole("button", { name: "Create flag" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key").fill("storm-stop");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Review and save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("0 of 1");
  await dialog.locator("summary", { hasText: "Bypass approval" }).click();
  await dialog.getByLabel("Reason").fill("The storm is here");
  await takePicture(page, "approvals-break-glass");
  await dialog.getByRole("button", { name: "Bypass approval" }).click();
  await expect(dialog).toHaveCount(0);

  await signIn(page, OLE);
  await page.goto("/console/approvals");
  const bypassed = page.getByRole("region", { name: "Bypassed approvals" });
  await expect(bypassed.getByText("The storm is here")).toBeVisible();
  await takePicture(page, "approvals-bypassed");
  await page.goto("/console/flags");
  await expect(page.getByRole("table").getByRole("link", { name: "storm-stop" })).toBeVisible();
});

test("discards a proposal only after a confirmation", async ({ page, musette }) => {
  await setUpApprovals(page, musette, 1);
  await propose(musette);
  await page.goto("/console/approvals");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Discard…" }).click();
  await expect(dialog).toContainText("can no longer be approved");
  await takePicture(page, "approvals-discard");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Proposed by Ole Berg")).toBeVisible();
  await page.getByRole("button", { name: "Discard…" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("The change is discarded.")).toBeVisible();
  await expect(page.getByText("Proposed by Ole Berg")).toHaveCount(0);
});

test("discards a proposal from the list of all changes", async ({ page, musette }) => {
  await setUpApprovals(page, musette, 1);
  await propose(musette);
  await page.goto("/console/flags/planned");
  await page.getByRole("button", { name: "Discard" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Discard this change?");
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("The proposed change is discarded.")).toBeVisible();
  await expect(page.getByText("cancelled", { exact: true })).toBeVisible();
});

test("a change that was not approved in time says so", async ({ page, musette }) => {
  await setUpApprovals(page, musette, 1);
  await propose(musette, new Date(Date.now() + 2000).toISOString());
  const late = page.getByText("the change was not approved in time");
  await expect(async () => {
    await page.goto("/console/flags/planned");
    await expect(late).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(page.getByText("another user had changed the same fields")).toHaveCount(0);
});

test("handles another person's decision while the proposal is open", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 409/);
  await setUpApprovals(page, musette, 1);
  await propose(musette);
  await page.goto("/console/approvals");
  const approveIt = approve(page);
  await expect(approveIt).toBeVisible();
  const pia = clientOf(musette, "pia-operator");
  const changes = "environments/production/changes";
  const listed = await (await pia("GET", changes)).json();
  const change = `${changes}/${listed.items[0].id}`;
  const { sha256 } = await (await pia("GET", change)).json();
  await pia("POST", `${change}/approvals`, { sha256 });
  await pia("POST", `${change}/apply`);
  await approveIt.click();
  await expect(page.getByText("This change was updated")).toBeVisible();
  await expect(page.getByText("Proposed by Ole Berg")).toHaveCount(0);
});

test("switching off needs no approval, and switching on again is proposed at once", async ({
  page,
  musette,
  allow,
}) => {
  // The server refuses a change that needs approval.
  allow(/status of 409/);
  await setUpApprovals(page, musette, 1);
  await page.goto(`/console/flags/${KEY}`);
  await page.getByRole("switch").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText(`${KEY} is off.`)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(dialog.getByText("0 of 1")).toBeVisible();
  await expect(dialog.getByText("Takes effect immediately")).toHaveCount(0);
  await takePicture(page, "switch-that-needs-approval");
  await dialog.getByRole("button", { name: "Request approval" }).click();
  await expect(page.getByText("Approval requested")).toBeVisible();
  await expect(page.getByText("Change waiting for approval")).toBeVisible();
});
