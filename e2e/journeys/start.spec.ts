import { join } from "node:path";
import { setLook } from "../screens/every-screen";
import { prepared } from "../setup/prepare";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { apply, height, overflowX, PHONES, takePicture } from "./phones";

const DAY_MS = 24 * 3600 * 1000;

/** Formats the day in this language. */
const dayOf = (locale: string, at: Date) =>
  new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
    ...(at.getUTCFullYear() !== new Date().getUTCFullYear() && { year: "numeric" }),
  }).format(at);

for (const { locale, width } of PHONES) {
  const on = `${locale}, ${width} px`;

  test(`the start page shows what a rider must do, by when, and when all is done, ${on}`, async ({
    page,
    musette,
  }) => {
    test.setTimeout(90_000);
    await page.setViewportSize({ width, height });
    await setLook(page, { locale, dark: false });
    await signIn(page, musette, "demo-rider-1");
    await page.goto("/");
    const status = page.locator(".status");
    const title = page.getByRole("heading", { level: 1 });
    await expect(status).toHaveAttribute("data-standing", "now");
    await expect(title).toContainText("3");
    await expect(status.locator(".mu-button")).toHaveCount(1);
    await takePicture(page, "start-now");
    await status.locator(".mu-button").click();
    await page.locator("[data-term=all] input").click();
    await page.locator(".mu-consent-footer button").click();
    await page.locator(".receipt").waitFor();

    await page.goto("/");
    await expect(status).toHaveAttribute("data-standing", "done");
    await takePicture(page, "start-done");
    // The terms page says so as well, and the button is disabled until something changes.
    await page.goto("/terms");
    await expect(title).toHaveText(locale === "en" ? "All done" : "تمّ كل شيء");
    const accept = page.locator(".mu-consent-footer button");
    await expect(accept).toBeDisabled();
    await expect(page.locator("[data-term='2'] input")).toBeChecked();
    await takePicture(page, "terms-done");
    await page.locator("[data-term='4'] input").click();
    await expect(accept).toBeEnabled();

    // Two new versions with different grace periods.
    const file = join(prepared, "scan.pdf");
    const soon = new Date(Date.now() + 11 * DAY_MS);
    const late = new Date(Date.now() + 20 * DAY_MS);
    for (const [id, until] of [
      ["3", late],
      ["2", soon],
    ] as const) {
      const grace = ["--mandatory", "--replaces", id, "--grace-until", until.toISOString()];
      musette.publish(file, "FREELANCER", `New ${id}`, ...grace);
    }
    await page.goto("/");
    await expect(status).toHaveAttribute("data-standing", "by");
    const words = locale === "en" ? "2 documents need you by" : "مستندان ينتظرانك حتى";
    await expect(title).toHaveText(`${words} ${dayOf(locale, soon)}`);
    await takePicture(page, "start-by");
    expect(await overflowX(page)).toBe(0);
  });

  test(`an applicant sees what they agreed to; the next person starts afresh, ${on}`, async ({
    page,
  }) => {
    test.setTimeout(90_000);
    await page.setViewportSize({ width, height });
    await setLook(page, { locale, dark: false });
    await page.goto("/");
    await expect(page.locator(".status")).toHaveCount(0);
    const number = await apply(page, [4]);
    await page.goto("/");
    const status = page.locator(".status");
    await expect(status).toHaveAttribute("data-standing", "applied");
    await expect(status.locator("li")).toHaveCount(4);
    await takePicture(page, "start-applied");
    expect(await overflowX(page)).toBe(0);

    // A confirmation with the number to copy; then an empty list.
    const another = page.locator(".door").first().getByRole("button");
    await another.click();
    await expect(page.locator("dialog code")).toHaveText(number);
    await takePicture(page, "start-another");
    expect(await overflowX(page)).toBe(0);
    await page.locator("dialog .mu-button[data-kind=secondary]").last().click();
    await expect(page.locator("dialog")).toHaveCount(0);
    await expect(status).toHaveAttribute("data-standing", "applied");
    await another.click();
    await page.locator("dialog .mu-button[data-kind=primary]").click();
    const boxes = page.locator(".mu-terms input");
    await expect(boxes).toHaveCount(5);
    for (const box of await boxes.all()) await expect(box).not.toBeChecked();
    await expect(page.locator(".applied-before")).toHaveCount(0);
    await takePicture(page, "apply-again");
    expect(await overflowX(page)).toBe(0);

    // Nothing of the first person remains: not on a page, and not behind the back button.
    await page.goBack();
    await expect(page.locator(".hero")).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL("/receipt");
    await expect(page.getByText(number)).toHaveCount(0);
    // A person who noted the number can still open the receipt.
    await page.locator(".sign-in-form input").fill(number);
    await page.locator(".sign-in-form [type=submit]").click();
    await expect(page.locator(".receipt code")).toHaveText(number);
    await page.goto("/apply");
    await page.locator("[data-term=all] input").click();
    await page.locator(".mu-consent-footer button").click();
    await page.locator(".receipt").waitFor();
    await page.goto("/agreements");
    // Only the second person's agreements.
    await expect(page.locator(".agreement [role=switch]")).toBeChecked();
    await expect(page.locator("main > .history")).toHaveCount(1);
    await takePicture(page, "agreements-two");
  });
}

test("claims nothing that cannot be looked up", async ({ page, musette, allow }) => {
  allow(/status of 503|ERR_FAILED/);
  await signIn(page, musette, "demo-rider-1");
  await page.route("**/outstanding?**", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/");
  const status = page.locator(".status");
  await expect(status).toHaveAttribute("data-standing", "failed");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "We cannot say right now whether something needs you",
  );
  await expect(page.getByText("All done")).toHaveCount(0);
  await takePicture(page, "start-unknown");
  await page.unroute("**/outstanding?**");
  await status.getByRole("button", { name: "Try again" }).click();
  await expect(status).toHaveAttribute("data-standing", "now");
  await expect(page.getByText("You may not start work until you have agreed.")).toBeVisible();
});

test("does not say that nothing was agreed to before an answer has come", async ({
  page,
  musette,
  allow,
}) => {
  allow(/ERR_FAILED|status of 5/);
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  await page.route("**/terms/consents", (route) => route.abort());
  await page.locator("[data-term=all] input").click();
  await page.locator(".mu-consent-footer button").click();
  await page.locator(".mu-error").waitFor();
  await page.goto("/agreements");
  await expect(page.getByText("Your decision is not confirmed yet")).toBeVisible();
  await expect(page.getByText("Nothing agreed")).toHaveCount(0);
  await page.goto("/");
  await expect(page.locator(".status")).toHaveAttribute("data-standing", "pending");
  // It was sent, so the page must not say that it was not.
  await expect(page.getByText("not sent yet")).toHaveCount(0);
  await takePicture(page, "start-pending");
});
