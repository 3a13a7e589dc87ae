import { signIn } from "../setup/sign-in";
import { expect, serveStage, test } from "../setup/test";
import { AGREEMENT, consentScreen, HANDBOOK, MARKETING, SCAN } from "./screen";

const SUBMIT = "**/terms/consents";
const RIDER = "demo-rider-1";
const none = [false, false, false, false, false];

test("an applicant's ticks are cleared after back, and after a reload", async ({ page }) => {
  await page.goto("/stage/?header");
  const { accept, all, screen, ticks } = consentScreen(page);
  await all.click();
  await screen.getByRole("button", { name: "Back" }).click();
  await expect(accept).toBeDisabled();
  await expect.poll(ticks).toEqual(none);
  await all.click();
  await page.reload();
  await expect(all).toBeVisible();
  await expect.poll(ticks).toEqual(none);
});

test("clears the ticks after a quarter of an hour without a touch, and says so", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/stage/");
  const { all, screen, ticks } = consentScreen(page);
  await all.click();
  await page.clock.fastForward("16:00");
  await expect(screen).toContainText("Nobody touched the screen for 15 minutes");
  await expect(all).not.toBeChecked();
  await expect.poll(ticks).toEqual(none);
});

test("a rider's ticks survive a reload, but not how they were set", async ({ page, musette }) => {
  await signIn(page, musette, RIDER);
  await page.goto(`/stage/?userId=${RIDER}`);
  const { accept, all, box } = consentScreen(page);
  await all.click();
  const storage = () => page.evaluate(() => Object.values(sessionStorage).join("\n"));
  await expect.poll(storage).toContain('"ids":[1,2,3,4]');
  await page.reload();
  await expect(box(HANDBOOK)).toBeChecked();
  const submission = page.waitForRequest(SUBMIT);
  await accept.click();
  const { consents } = (await submission).postDataJSON();
  expect(consents.map((entry: object) => "method" in entry)).toEqual(Array(4).fill(false));
  await expect(page.locator("output")).toHaveText("accepted 4");
});

for (const [what, status] of [
  ["answer 503", 503],
  ["never answer", 0],
] as const) {
  test(`earlier consents that ${what} withdraw nothing`, async ({ page, musette, allow }) => {
    allow(/status of 503/);
    await signIn(page, musette, RIDER);
    await page.goto(`/stage/?userId=${RIDER}`);
    const { accept, again, all, box, alert } = consentScreen(page);
    await all.click();
    await accept.click();
    await expect(page.locator("output")).toHaveText("accepted 4");

    const earlier = (url: URL) =>
      url.pathname.endsWith("/consents") && url.pathname.includes(RIDER);
    await page.route(earlier, (route) =>
      status ? route.fulfill({ status, body: "" }) : undefined,
    );
    await page.goto(`/stage/?userId=${RIDER}`);
    await expect(alert).toContainText("What you decided earlier could not be loaded.");
    for (const title of [AGREEMENT, HANDBOOK, SCAN]) await box(title).click();
    await accept.click();
    await expect(page.locator("output")).toHaveText("accepted 3");
    expect(musette.decisions().filter((row) => !row.accepted)).toEqual([]);
    await page.unroute(earlier);
    await page.reload();
    await expect(box(MARKETING)).toBeChecked();
    await expect(again).toHaveCount(0);
  });
}

test("agree-all ticks a term that was declined before, and its row says so", async ({
  page,
  musette,
}) => {
  await signIn(page, musette, RIDER);
  await page.goto(`/stage/?userId=${RIDER}`);
  const { accept, all, box, screen } = consentScreen(page);
  for (const title of [AGREEMENT, HANDBOOK, SCAN]) await box(title).click();
  await accept.click();
  await expect(page.locator("output")).toHaveText("accepted 4");
  await page.reload();
  await expect(screen).toContainText("You declined this before.");
  await expect(all).toHaveAttribute("aria-checked", "mixed");
  await all.click();
  await expect(all).toBeChecked();
  await expect(box(MARKETING)).toBeChecked();
  await all.click();
  await expect(all).not.toBeChecked();
  await expect(box(MARKETING)).not.toBeChecked();
});

test("records once after a lost answer and a reload, and shows the receipt", async ({
  page,
  musette,
  allow,
}) => {
  allow(/ERR_FAILED/);
  const lose = async (route: { fetch(): Promise<unknown>; abort(): Promise<void> }) => {
    await route.fetch();
    await route.abort();
  };
  await page.route(SUBMIT, lose, { times: 1 });
  await page.goto("/stage/");
  const { accept, all, alert } = consentScreen(page);
  await all.click();
  await accept.click();
  await expect(alert).toContainText("No answer came.");
  expect(musette.decisions()).toHaveLength(4);
  await page.reload();
  await expect(page.locator("output")).toHaveText("accepted 4");
  expect(musette.decisions()).toHaveLength(4);
  // The submission is then complete.
  await page.reload();
  await expect(all).toBeVisible();
});

test("records once when a second tab waits for the first, and asks whose submission it is", async ({
  page,
  context,
  musette,
  allow,
}) => {
  allow(/ERR_FAILED/);
  let go = () => {};
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(SUBMIT, async (route) => {
    await route.fetch();
    await released;
    await route.abort();
  });
  await page.goto("/stage/");
  const first = consentScreen(page);
  await first.all.click();
  await first.accept.click();
  await expect.poll(() => musette.decisions().length).toBe(4);

  const other = await context.newPage();
  await serveStage(other);
  await other.goto("/stage/");
  const second = consentScreen(other);
  await expect(second.screen).toContainText("is being sent again");
  go();
  await expect(second.alert).toContainText("Was it you?");
  await other.getByRole("button", { name: "Yes, show the receipt" }).click();
  await expect(other.locator("output")).toHaveText("accepted 4");
  expect(musette.decisions()).toHaveLength(4);
});

test("stores a submission for a day offline, and records it once", async ({
  page,
  context,
  musette,
  allow,
}) => {
  allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await page.goto("/stage/");
  const { accept, all, alert } = consentScreen(page);
  await all.click();
  await context.setOffline(true);
  await accept.click();
  await expect(alert).toContainText("not sent yet");
  await page.close();
  await context.setOffline(false);

  const next = await context.newPage();
  await next.clock.install({ time: Date.now() + 24 * 3600_000 });
  await serveStage(next);
  await next.goto("/stage/");
  await expect(next.getByRole("alert")).toContainText("Was it you?");
  expect(musette.decisions()).toHaveLength(4);
  await next.getByRole("button", { name: "No, it was somebody else" }).click();
  await expect(consentScreen(next).all).not.toBeChecked();
  expect(musette.decisions()).toHaveLength(4);
});
