import type { Page } from "@playwright/test";
import { setLook } from "../screens/every-screen";
import { axeBuilder } from "../setup/axe";
import { Roster } from "../setup/evaluations";
import type { Musette } from "../setup/musette";
import { signIn } from "../setup/sign-in";
import { publishSystem } from "../setup/systems";
import { expect, test } from "../setup/test";
import { overflowX, takePicture } from "./phones";
import { phone, reopenApp, waitUntilCached } from "./pocket";

test.use({ store: "empty" });

const RIDER = "rider-1";
const OBJECTION = "I was at the restaurant at 18:00. The app had no network there.";
const violations = async (page: Page) => (await axeBuilder(page).analyze()).violations;

async function answer(musette: Musette, id: string, message: string): Promise<void> {
  musette.addAdmin("reviewer-1", "reviewer@larkspur.example");
  const { dhhToken } = musette.tokens("reviewer-1", 900);
  const url = `${musette.url}/api/admin/v1/evaluations/${id}`;
  const headers = { Authorization: `Bearer ${dhhToken}`, "Content-Type": "application/json" };
  const current = await (await fetch(url, { headers })).json();
  expect(current.discussion.messages[0].message).toBe(OBJECTION);
  expect(current.discussion.figures).toEqual({ late_by_seconds: 0 });
  const body = { to: "ACCEPTED", version: current.version, message };
  const response = await fetch(`${url}/transitions`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

/** Prints the record, and checks that the paper has the record and nothing of the app. */
async function printsTheRecord(page: Page): Promise<void> {
  // A browser without windows prints nothing, and reports the end of it at once.
  await page.evaluate(() => Object.assign(globalThis, { print: () => {} }));
  await page.getByRole("button", { name: "Print or save as PDF" }).click();
  const paper = page.locator(".print-record");
  await expect(paper).toBeHidden();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(paper).toBeVisible();
  for (const text of ["Ottilie Fenwick · rider-1", "shift-4711", "order-dispatch, version 7.2"])
    await expect(paper).toContainText(text);
  for (const rest of [".top-bar", ".nav-bottom", ".work", ".mu-button"])
    await expect(page.locator(rest).filter({ visible: true })).toHaveCount(0);
  await expect(paper).toHaveCSS("color", "rgb(0, 0, 0)");
  if (process.env.MUSETTE_SEE) await page.pdf({ path: `${process.env.MUSETTE_SEE}/record.pdf` });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await expect(paper).toHaveCount(0);
}

for (const { locale, width } of [
  { locale: "en", width: 360 },
  { locale: "ar", width: 320 },
]) {
  test(`a rider contests offline and is answered: ${locale}`, async ({ browser, musette }) => {
    musette.addRider(RIDER, "Ottilie Fenwick");
    await publishSystem(musette);
    const id = await new Roster(musette).createLate(RIDER, "shift-4711");
    const first = await phone(browser, musette.url, locale, width);
    let { page } = first;
    await signIn(page, musette, RIDER);
    await page.goto("/");
    await page.locator('a[href="/work-record"]').click();
    await page.locator(".work h2 a").click();
    await page.locator(`a[href="/contest#${id}"]`).click();
    const text = page.locator("textarea");
    await text.fill(OBJECTION);
    await waitUntilCached(page);

    // The battery dies, and there is no network.
    await first.context.setOffline(true);
    page = await reopenApp(page, `/contest#${id}`, locale);
    await expect(page.locator("textarea")).toHaveValue(OBJECTION);
    await page.locator("input[type=time]").first().fill("17:00");
    await expect(page.locator(".work-warning")).toBeVisible();
    await takePicture(page, `work-contest-${locale}`);
    await page.locator(".work-form [type=submit]").click();
    await expect(page.locator(".work-waiting")).toBeVisible();
    expect(await overflowX(page)).toBe(0);
    await takePicture(page, `work-unsent-${locale}`);
    page = await reopenApp(page, "/work-record", locale);
    await expect(page.locator(".work-status strong")).toBeVisible();

    await first.context.setOffline(false);
    await expect(page.locator(".work-status strong")).toHaveCount(0);
    await page.goto(`/evaluation#${id}`);
    await expect(page.locator(".work-thread li")).toHaveCount(1);
    await expect(page.locator(".work-waiting")).toHaveCount(0);
    await answer(musette, id, "The restaurant confirmed that you were there at 18:00.");
    await page.reload();
    await expect(page.locator(".work-thread li[data-from=reviewer]")).toContainText("confirmed");
    await expect(page.locator(".work-head [data-status=ACCEPTED]")).toBeVisible();
    await takePicture(page, `work-answered-${locale}`);
    expect(await overflowX(page)).toBe(0);
    await first.context.close();
  });
}

test("shows the rider's record, and nothing where no work is recorded", async ({
  page,
  musette,
  allow,
}) => {
  // This server is not a demo, which the app finds out by a request.
  allow(/404 \(Not Found\)/);
  musette.addRider(RIDER, "Ottilie Fenwick");
  musette.addRider("rider-2", "Bram Tolliver");
  await publishSystem(musette);
  const roster = new Roster(musette);
  await roster.create(RIDER, "shift-4712", "2026-11-21T17:00:00.000Z");
  const id = await roster.createLate(RIDER, "shift-4711");
  await page.setViewportSize({ width: 360, height: 720 });

  await signIn(page, musette, "rider-2");
  await page.goto("/");
  await page.getByRole("link", { name: "My devices" }).waitFor();
  await expect(page.getByText("Hello, Bram Tolliver.")).toBeVisible();
  await expect(page.getByRole("link", { name: "My work record" })).toHaveCount(0);
  await page.goto(`/evaluation#${id}`);
  await expect(page.getByText("belongs to another account")).toBeVisible();

  await signIn(page, musette, RIDER);
  await page.goto("/work-record");
  await expect(page.locator(".work")).toHaveCount(2);
  expect(await violations(page)).toEqual([]);
  const record = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my record" }).click();
  expect((await record).suggestedFilename()).toBe("my-record.json");
  await printsTheRecord(page);

  await page.goto(`/evaluation#${id}`);
  await expect(page.getByText("A program: order-dispatch, version 7.2")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const receipts = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download receipts" }).click();
  expect((await receipts).suggestedFilename()).toBe(`receipts-${id}.json`);
  await page.getByRole("link", { name: "How this program works" }).click();
  await expect(page.locator(".system")).toHaveCount(1);
  await expect(page.getByText(/^As of/)).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Confirm that it is right" }).click();
  await expect(page.locator(".work-head [data-status=ACCEPTED]")).toBeVisible();

  // Confirming does not take away the right to contest, and a contest can be withdrawn.
  await page.getByRole("link", { name: "Contest this" }).click();
  await page.getByLabel("What is wrong?").fill("I was there at the planned time.");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Send objection" }).click();
  await expect(page.getByText("An answer is due by")).toBeVisible();
  await page.getByLabel("Add a message").fill("The restaurant saw me.");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.locator(".work-thread li")).toHaveCount(2);
  await page.getByRole("button", { name: "Withdraw objection" }).click();
  await page.getByRole("button", { name: "Withdraw objection" }).click();
  await expect(page.locator(".work-head [data-status=ACCEPTED]")).toBeVisible();
});

for (const { locale, width, dark } of [
  { locale: "ar", width: 320, dark: true },
  { locale: "de", width: 320, dark: false },
]) {
  test(`the record fits a phone of ${width} pixels in ${locale}, also with large text`, async ({
    page,
    musette,
    allow,
  }) => {
    allow(/404 \(Not Found\)/);
    musette.addRider(RIDER, "Ottilie Fenwick");
    const id = await new Roster(musette).createNoShow(RIDER, "shift-4711");
    await page.setViewportSize({ width, height: 720 });
    await setLook(page, { locale, dark });
    await signIn(page, musette, RIDER);
    for (const path of ["/work-record", `/evaluation#${id}`, `/contest#${id}`]) {
      await page.goto(path);
      await page.locator(".work-facts").first().waitFor();
      expect(await violations(page)).toEqual([]);
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
      expect(await overflowX(page), path).toBe(0);
    }
  });
}
