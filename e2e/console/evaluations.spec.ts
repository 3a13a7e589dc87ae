import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import { Roster } from "../setup/evaluations";
import type { Musette } from "../setup/musette";
import { expect, test } from "../setup/test";
import { PASSWORD } from "./admin";

test.use({ store: "empty", viewport: { width: 1280, height: 800 } });

const REVIEWER = "reviewer@larkspur.example";
const DISPATCHER = "dispatcher@larkspur.example";
const OBJECTION = "I was at the restaurant at 18:00, and the manager saw me.";
const ANSWER = "The restaurant confirmed that you were there at 18:00.";
const violations = async (page: Page) => (await axeBuilder(page).analyze()).violations;

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

/** Calls the API with the session of a rider or a colleague. */
async function call(
  musette: Musette,
  user: string,
  path: string,
  body: object,
  method = "POST",
): Promise<Response> {
  return fetch(`${musette.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${musette.tokens(user, 900).dhhToken}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
}

async function contest(musette: Musette, id: string, figures?: object): Promise<void> {
  const path = `/api/rooster/v3/riders/rider-1/evaluations/${id}/discussion`;
  const body = { version: 2, message: OBJECTION, ...(figures && { figures }) };
  expect((await call(musette, "rider-1", path, body)).status).toBe(200);
}

/** Creates discussions about these shifts; the first one is due first. */
async function discussions(musette: Musette, ...references: string[]): Promise<string[]> {
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.addColleague("reviewer-1", REVIEWER, PASSWORD, ["reviewer"]);
  const roster = new Roster(musette);
  const ids: string[] = [];
  for (const reference of references) {
    const id = await roster.createLate("rider-1", reference);
    await contest(musette, id, { late_by_seconds: 0, worked_minutes: 240 });
    ids.push(id);
  }
  return ids;
}

const section = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Evaluations" });

const TEN = Array.from({ length: 10 }, (_, index) => `shift-${index + 1}`);

test("a reviewer clears ten discussions by keyboard", async ({ page, musette }) => {
  const ids = await discussions(musette, ...TEN);
  await signIn(page, REVIEWER);
  await section(page).click();
  const rows = page.locator("tbody tr[data-index]");
  await expect(rows).toHaveCount(TEN.length);
  await expect(rows.first()).toContainText("shift-1");
  await expect(rows.first()).toContainText("13 days left");
  expect(await violations(page)).toEqual([]);

  await rows.first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("shift-1");
  await expect(page.getByRole("row", { name: "Late start" })).toContainText("12 min");
  await expect(page.getByRole("row", { name: "Late start" })).toContainText("0 min");
  await expect(page.getByText(OBJECTION)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // The next one and back, without an answer.
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("shift-2");
  await page.keyboard.press("k");

  const working = page.getByText(/^Assigned to you until/);
  for (const [index, reference] of TEN.entries()) {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(reference);
    if (index === 0) {
      await page.keyboard.press("m");
      await expect(working).toBeVisible();
      expect(await violations(page)).toEqual([]);
    }
    await expect(page.getByRole("radio")).toHaveCount(2);
    await page.keyboard.press("a");
    await expect(page.getByRole("radio", { name: /^Accepted/ })).toBeFocused();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type(ANSWER);
    // The first input takes the discussion.
    await expect(working).toBeVisible();
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("counts in favour of the rider");
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
  }
  // The queue is empty.
  await expect(page.getByText("There are no evaluations here.")).toBeVisible();
  for (const id of ids) {
    const path = `/api/rooster/v3/riders/rider-1/evaluations/${id}`;
    const { dhhToken } = musette.tokens("rider-1", 900);
    const answer = await fetch(`${musette.url}${path}`, {
      headers: { Authorization: `Bearer ${dhhToken}` },
    });
    const { status, discussion } = await answer.json();
    expect(status).toBe("ACCEPTED");
    expect(discussion.messages.at(-1)).toMatchObject({ from: "reviewer", message: ANSWER });
  }
});

test("two reviewers do not work on the same discussion unknowingly", async ({ page, musette }) => {
  const [first = ""] = await discussions(musette, "shift-1", "shift-2", "shift-3");
  musette.addColleague("reviewer-2", "second@larkspur.example", PASSWORD, ["reviewer"]);
  const take = async (id: string) => {
    const path = `/api/admin/v1/evaluations/${id}/assignment`;
    expect((await call(musette, "reviewer-2", path, {}, "PUT")).status).toBe(200);
  };
  await take(first);
  await signIn(page, REVIEWER);
  await section(page).click();
  await expect(page.getByRole("row", { name: /shift-1/ })).toContainText("In work: ");
  await page.getByRole("link", { name: "shift-1" }).click();
  await expect(page.getByText(/reviewer-2.* is working on this discussion until/)).toBeVisible();
  const send = page.getByRole("button", { name: "Send answer" });
  await expect(send).toBeDisabled();
  await page.keyboard.press("m");
  await expect(page.getByText(/^Assigned to you until/)).toBeVisible();
  await expect(send).toBeEnabled();
  await page.getByRole("button", { name: "End assignment" }).click();
  await expect(page.getByText("No reviewer is working on this discussion.")).toBeVisible();
});

test("shows the new version when another reviewer has answered first", async ({
  page,
  musette,
  allow,
}) => {
  allow(/status of 409/);
  const [id = ""] = await discussions(musette, "shift-1");
  musette.addColleague("reviewer-2", "second@larkspur.example", PASSWORD, ["reviewer"]);
  await signIn(page, REVIEWER);
  await page.goto(`/console/evaluations/${id}`);
  await page.getByRole("radio", { name: /^Evaluated/ }).check();
  await page.getByLabel("Message to the rider").fill(ANSWER);
  const other = { to: "ACCEPTED", version: 3, message: "You were right. The record is corrected." };
  const path = `/api/admin/v1/evaluations/${id}/transitions`;
  expect((await call(musette, "reviewer-2", path, other)).status).toBe(200);
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByText("changed by another user")).toBeVisible();
  await expect(page.locator("main [data-status=ACCEPTED]").first()).toBeVisible();
});

test("a dispatcher evaluates, and does not answer their own decision", async ({
  page,
  musette,
}) => {
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.addColleague("both-1", DISPATCHER, PASSWORD, ["dispatcher", "reviewer"]);
  const id = await new Roster(musette).create("rider-1", "shift-9");
  await signIn(page, DISPATCHER);
  await section(page).click();
  await page.getByLabel("Status").selectOption("PENDING");
  await expect(page).toHaveURL(/status=PENDING/);
  await page.getByRole("link", { name: "shift-9" }).click();
  await page.getByRole("button", { name: "Evaluate" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Late start").fill("720");
  await dialog.getByLabel("Reason code").fill("late");
  await dialog.getByLabel("Reason for the rider").fill("Started 12 minutes late.");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Evaluate" }).click();
  await expect(page.getByText("Started 12 minutes late.")).toBeVisible();
  await contest(musette, id);
  await page.reload();
  await expect(page.getByText("Another reviewer must answer.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send answer" })).toHaveCount(0);
});

test("a dispatcher excuses the evaluations of a storm, and undoes it", async ({
  page,
  musette,
}) => {
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.addRider("rider-2", "Wim Hartog");
  musette.addColleague("dispatcher-1", DISPATCHER, PASSWORD, ["dispatcher"]);
  const roster = new Roster(musette);
  await roster.createNoShow("rider-1", "shift-1");
  await roster.create("rider-1", "shift-2");
  await roster.createNoShow("rider-2", "shift-3");
  await roster.createLate("rider-2", "shift-4");
  await signIn(page, DISPATCHER);
  await section(page).click();
  await page.getByRole("link", { name: "Excuse many evaluations" }).click();
  await page.goto(
    "/console/evaluations/excuse?from=2026-11-20T16:00:00.000Z&until=2026-11-20T20:00:00.000Z",
  );
  await expect(page.getByText("3 evaluations selected")).toBeVisible();
  await expect(page.getByText("of 2 riders.")).toBeVisible();
  await expect(page.getByRole("row", { name: /shift-4/ })).toContainText("Evaluated already");
  await page.getByRole("checkbox", { name: "Excuse shift-2" }).uncheck();
  await expect(page.getByText("2 evaluations selected")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Excuse evaluations" }).click();
  await expect(page.getByText("Write a reason, and a language for each text.")).toBeVisible();
  await page.getByLabel("Reason", { exact: true }).fill("Excused: storm on 20 November");
  await page.getByRole("button", { name: "Excuse evaluations" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 evaluations selected");
  await expect(dialog).toContainText("Excused: storm on 20 November");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Excuse evaluations" }).click();
  await expect(page.getByText(/^Riders see it at/)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(/^Undone at/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("is not in the navigation of a company without evaluations", async ({ page, musette }) => {
  musette.addColleague("legal-1", "legal@larkspur.example", PASSWORD, ["legal"]);
  await signIn(page, "legal@larkspur.example");
  await expect(page.getByRole("link", { name: "People" }).first()).toBeVisible();
  await expect(section(page)).toHaveCount(0);
});
