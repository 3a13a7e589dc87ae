import { waitUntilNothingPending } from "../setup/pending";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";

const RIDER = "demo-rider-1";
const SUBMIT = "**/terms/consents";

test("records a withdrawal with a lost answer once, and shows only what is known", async ({
  page,
  musette,
  allow,
}) => {
  allow(/ERR_FAILED/);
  await signIn(page, musette, RIDER);
  await page.goto("/terms");
  await page.locator("[data-term=all] input").click();
  await page.locator(".mu-consent-footer button").click();
  await page.locator(".receipt").waitFor();
  await page.goto("/agreements");
  const own = page.locator(".agreement", { has: page.getByRole("switch") });
  const toggle = own.getByRole("switch");
  await expect(toggle).toBeChecked();

  let calls = 0;
  let answers = false;
  await page.route(SUBMIT, async (route) => {
    calls++;
    if (answers) return route.continue();
    if (calls === 1) await route.fetch();
    await route.abort();
  });
  await toggle.click();
  await expect(own.getByRole("alert")).toContainText("is not confirmed");

  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Your decision is not confirmed yet",
  );
  // Further attempts, by the app or by the person, get no answer either. The server's list shows
  // the current state.
  await page.getByRole("link", { name: "Try now" }).click();
  await expect.poll(() => calls).toBeGreaterThan(1);
  await expect(own.getByRole("alert")).toContainText("is not confirmed");
  await expect(toggle).not.toBeChecked();
  answers = true;
  await own.getByRole("button", { name: "Try again" }).click();
  await expect(own.getByRole("alert")).toHaveCount(0);
  await expect(own).toContainText("Withdrawn on");
  expect(musette.decisions().map(({ accepted }) => accepted)).toEqual([
    ...[true, true, true, true],
    false,
  ]);
  // The page shows the answer before it removes its own record of the press.
  await waitUntilNothingPending(page);
  const callsBefore = calls;
  await page.reload();
  await expect(own).toContainText("Withdrawn on");
  expect(calls, "what is settled is not sent again").toBe(callsBefore);
});

test("without any storage, a person can apply and read what they agreed to", async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("forbidden", "SecurityError");
        },
      });
  });
  await page.goto("/apply");
  await page.locator("[data-term=all] input").click();
  await page.locator(".mu-consent-footer button").click();
  await expect(page.locator(".receipt")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "My agreements" }).click();
  await expect(page.locator(".agreement")).toHaveCount(4);
});
