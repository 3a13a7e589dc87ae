import type { Page } from "@playwright/test";
import { PASSWORD } from "../console/admin";
import { setLook } from "../screens/every-screen";
import { axeBuilder } from "../setup/axe";
import type { Musette } from "../setup/musette";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { overflowX, takePicture } from "./phones";

test.use({ store: "empty" });

const RIDER = "rider-1";
const STATEMENT = "You may not work until 1 December, because two orders were not delivered.";
const ANSWER = "The restaurant has found both orders. We have lifted the suspension of your work.";
const DAY_MS = 86_400_000;
const violations = async (page: Page) => (await axeBuilder(page).analyze()).violations;

async function signInToConsole(page: Page, email: string): Promise<void> {
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

function addPeople(musette: Musette): void {
  musette.addRider(RIDER, "Ottilie Fenwick");
  musette.addColleague("reviewer-1", "first@larkspur.example", PASSWORD, ["reviewer"]);
  musette.addColleague("reviewer-2", "second@larkspur.example", PASSWORD, ["reviewer"]);
}

/** Imposes a suspension of a week. */
async function suspend(musette: Musette): Promise<void> {
  const response = await fetch(`${musette.url}/api/admin/v1/restrictions`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${musette.tokens("reviewer-1", 900).dhhToken}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({
      user_id: RIDER,
      kind: "suspension",
      statement: { en: STATEMENT },
      reasons: [{ code: "missing_orders", text: { en: "Two orders were not delivered." } }],
      contact: { name: "Rider support", email: "riders@larkspur.example" },
      ends_at: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    }),
  });
  expect(response.status).toBe(201);
}

test("a reviewer suspends a rider, who asks for a review, and another one lifts it", async ({
  page,
  browser,
  musette,
  allow,
}) => {
  // This server is not a demo, which the app finds out by a request.
  allow(/404 \(Not Found\)/);
  addPeople(musette);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInToConsole(page, "first@larkspur.example");
  await page.getByRole("link", { name: "Restrictions" }).first().click();
  await page.getByRole("link", { name: "Impose restriction" }).click();
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Enter the user ID.")).toBeVisible();
  await page.getByLabel("User ID").fill(RIDER);
  const end = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 16);
  await page.getByLabel("Until", { exact: true }).fill(end);
  await page.getByLabel("Statement to the rider").fill(STATEMENT);
  await page.getByLabel("Reason code").fill("missing_orders");
  await page.getByLabel("Reason for the rider").fill("Two orders were not delivered.");
  await page.getByLabel("Name of the contact").fill("Rider support");
  await page.getByLabel("E-mail address").fill("riders@larkspur.example");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Preview" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("As the rider reads it");
  await expect(dialog).toContainText(STATEMENT);
  await dialog.getByRole("button", { name: "Impose restriction" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Suspension");

  const context = await browser.newContext({ baseURL: musette.url });
  const rider = await context.newPage();
  await rider.setViewportSize({ width: 360, height: 720 });
  await signIn(rider, musette, RIDER);
  await rider.goto("/");
  const card = rider.locator("main .restriction").first();
  await expect(card.getByRole("heading", { level: 2 })).toHaveText("You may not work for a time");
  await expect(card).toContainText(STATEMENT);
  expect(await violations(rider)).toEqual([]);
  await takePicture(rider, "restriction-start");
  await card.getByRole("button", { name: "Ask for a review" }).click();
  await card.getByLabel("Why is this wrong?").fill("I delivered both orders. Ask the restaurant.");
  await card.getByRole("button", { name: "Send request" }).click();
  await expect(card).toContainText("An answer is due by");

  // The reviewer who imposed it does not answer.
  await page.reload();
  await page.getByLabel("Message to the rider").fill(ANSWER);
  allow(/status of 403/);
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByText("Another reviewer must decide.")).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signInToConsole(page, "second@larkspur.example");
  await page.goto("/console/restrictions");
  await page.getByRole("link", { name: RIDER }).click();
  await page.getByLabel("Outcome").selectOption("lifted");
  await page.getByLabel("Message to the rider").fill(ANSWER);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByText("The answer was sent.")).toBeVisible();

  await rider.goto("/restrictions");
  await expect(rider.locator(".restriction")).toContainText(ANSWER);
  await expect(rider.getByRole("heading", { level: 2 })).toHaveText("A suspension has ended");
  await context.close();
});

for (const { locale, width, dark } of [
  { locale: "ar", width: 320, dark: true },
  { locale: "de", width: 320, dark: false },
]) {
  test(`a restriction is first on a phone of ${width} pixels in ${locale}`, async ({
    page,
    musette,
    allow,
  }) => {
    allow(/404 \(Not Found\)/);
    addPeople(musette);
    await suspend(musette);
    await page.setViewportSize({ width, height: 720 });
    await setLook(page, { locale, dark });
    await signIn(page, musette, RIDER);
    await page.goto("/");
    await expect(page.locator("main > :first-child")).toHaveClass(/restriction/);
    expect(await violations(page)).toEqual([]);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await overflowX(page)).toBe(0);
    await takePicture(page, `restriction-${locale}`);
  });
}
