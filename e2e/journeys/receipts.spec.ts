import { MARKETING } from "../consent/screen";
import { setLook } from "../screens/every-screen";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import {
  anotherPhone,
  apply,
  height,
  overflowX,
  PHONES,
  signInByCode,
  takePicture,
} from "./phones";

const EMAIL = "ottilie@larkspur.example";

for (const phone of PHONES) {
  const { locale, width } = phone;
  const on = `${locale}, ${width} px`;

  test(`opens, checks and withdraws a receipt by its number on any phone, ${on}`, async ({
    page,
    browser,
    musette,
  }) => {
    test.setTimeout(90_000);
    await page.setViewportSize({ width, height });
    await setLook(page, { locale, dark: false });
    const number = await apply(page);

    const other = await anotherPhone(browser, musette, phone);
    const requests: string[] = [];
    other.page.on("request", (request) => {
      requests.push(`${request.url()} ${JSON.stringify(request.headers())}`);
    });
    await other.page.goto("/receipt");
    const field = other.page.locator("form input");
    await field.fill("nonsense");
    await other.page.locator("form [type=submit]").click();
    await expect(other.page.getByRole("alert")).toBeVisible();
    await expect(field).toBeFocused();
    await takePicture(other.page, "receipt-form");
    // As copied from a message: a link with spaces around it.
    await field.fill(`  ${musette.url}/receipt#${number} `);
    await other.page.locator("form [type=submit]").click();
    await expect(other.page.locator(".receipt code").first()).toHaveText(number);
    expect(other.page.url()).toBe(`${musette.url}/receipt#${number}`);
    await other.page.locator(".proof .ways button").first().click();
    await expect(other.page.locator(".checked[data-says=good]")).toBeVisible();

    const choice = other.page.locator(".choices li");
    await expect(choice).toHaveCount(1);
    const agree = choice.getByRole("switch");
    await expect(agree).toBeChecked();
    await takePicture(other.page, "receipt-opened");
    await agree.click();
    await expect(other.page.locator(".choices [role=status] a")).toBeVisible();
    await expect(agree).not.toBeChecked();
    expect(await overflowX(other.page)).toBe(0);
    // The recorded decisions remain, and the current state is known after a reload as well.
    await other.page.reload();
    await expect(other.page.locator(".decided [data-accepted=true]")).toHaveCount(4);
    await expect(agree).not.toBeChecked();
    expect(requests.filter((request) => request.includes(number))).toEqual([]);

    // The phone that has the receipt learns of the decision when the receipt is opened there.
    await page.reload();
    await expect(page.locator(".choices").getByRole("switch")).not.toBeChecked();
    expect(musette.decisions().map((row) => row.accepted)).toEqual([true, true, true, true, false]);
    await other.context.close();
  });

  test(`offers each stored receipt after the sign-in, and claims it only on a tap, ${on}`, async ({
    page,
    musette,
  }) => {
    test.setTimeout(90_000);
    await page.setViewportSize({ width, height });
    await setLook(page, { locale, dark: false });
    const first = await apply(page);
    const second = await apply(page, [4]);
    await page.goto("/sign-in");
    await signInByCode(page, EMAIL);
    await expect(page).toHaveURL(`${musette.url}/`);
    await expect(page.locator(".greeting")).toContainText("Ottilie Fernwick");
    await expect(page.locator(".status")).toHaveAttribute("data-standing", "now");
    const offers = page.locator(".join");
    await expect(offers).toHaveCount(2);
    // Signing in joins nothing. That takes a tap, because the application may be another person's.
    expect(musette.decisions().map((row) => row.user_id)).toEqual(Array(8).fill(""));
    await takePicture(page, "join");
    expect(await overflowX(page)).toBe(0);

    await offers.first().locator("[data-kind=secondary]").click();
    await expect(offers).toHaveCount(1);
    await offers.first().locator("[data-kind=primary]").click();
    await expect(page.locator(".joined")).toBeVisible();
    await expect(offers).toHaveCount(0);
    await expect(page.locator(".status")).toHaveAttribute("data-standing", "done");
    const owner = new Map(musette.decisions().map((row) => [row.receipt_id, row.user_id]));
    expect(owner.get(first)).toBe("demo-rider-1");
    expect(owner.get(second)).toBe("");
    await page.reload();
    await expect(page.locator(".status")).toHaveAttribute("data-standing", "done");
    await expect(offers).toHaveCount(0);

    // One person said that it is not theirs, but it is still offered to the next. The test waits
    // for the answer to the log-out, because it removes the cookies: this test sets cookies for the
    // next person directly, so a late answer would remove them.
    const signedOut = page.waitForResponse("**/session/v1/logout");
    await page.locator(".account [data-kind=quiet]").click();
    await signedOut;
    await signIn(page, musette, "demo-rider-2");
    await page.goto("/");
    await expect(offers).toHaveCount(1);
    await page.goto("/agreements");
    await expect(offers).toHaveCount(1);
  });
}

test("rewrites a former link at once, and no later request contains the number", async ({
  page,
}) => {
  const number = await apply(page);
  const requests: string[] = [];
  page.on("request", (request) => {
    // The page before may still send requests while this one is fetched.
    if (request.isNavigationRequest()) requests.length = 0;
    requests.push(request.url());
  });
  await page.goto(`/receipt/${number}`);
  await expect(page.locator(".receipt code")).toHaveText(number);
  await expect(page).toHaveURL(new RegExp(`/receipt#${number}$`));
  const [document, ...rest] = requests;
  expect(document).toContain(`/receipt/${number}`);
  expect(rest.filter((url) => url.includes(number))).toEqual([]);
  // The skip link does not remove the fragment either.
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
  await expect(page.locator("#content")).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`/receipt#${number}$`));
});

test("a rider claims a receipt from another phone by its number", async ({
  page,
  browser,
  musette,
  allow,
}) => {
  test.setTimeout(90_000);
  allow(/status of (401|403|404|409|410)/);
  const elsewhere = await anotherPhone(browser, musette, { locale: "en", width: 360 });
  const number = await apply(elsewhere.page);
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/agreements");
  await page.getByRole("link", { name: "Open a receipt" }).click();
  await page.getByLabel("Receipt number").fill(number);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Yes, join it to my account" }).click();
  await expect(page.locator(".join")).toHaveCount(0);
  expect(musette.decisions().map((row) => row.user_id)).toEqual(Array(4).fill("demo-rider-1"));
  await page.getByRole("main").getByRole("link", { name: "My agreements" }).click();
  await expect(page.getByRole("listitem", { name: MARKETING })).toContainText("Agreed on");

  // The phone that has the receipt keeps its copy, and says that an account has claimed it.
  await elsewhere.page.reload();
  await expect(elsewhere.page.getByText("It belongs to an account.")).toBeVisible();
  await expect(elsewhere.page.locator(".choices")).toHaveCount(0);
  await signIn(elsewhere.page, musette, "demo-rider-2");
  await elsewhere.page.goto("/");
  await elsewhere.page.getByRole("button", { name: "Yes, join it to my account" }).click();
  await expect(elsewhere.page.getByRole("alert")).toContainText("belongs to another account");
  await elsewhere.page.getByRole("button", { name: "Not mine" }).click();
  await expect(elsewhere.page.locator(".join")).toHaveCount(0);

  // On a third phone, the number alone opens nothing now. Signing in leads back to the receipt.
  const third = await anotherPhone(browser, musette, { locale: "en", width: 360 });
  await third.page.goto(`/receipt#${number}`);
  await expect(third.page.getByText("It belongs to an account.")).toBeVisible();
  await third.page.getByRole("link", { name: "Sign in" }).click();
  await expect(third.page).toHaveURL(`${musette.url}/sign-in?next=%2Freceipt#${number}`);
  await signInByCode(third.page, EMAIL);
  await expect(third.page).toHaveURL(`${musette.url}/receipt#${number}`);
  await expect(third.page.locator(".receipt code")).toHaveText(number);

  const wrong = `${number.slice(0, -1)}${number.endsWith("A") ? "B" : "A"}`;
  await page.goto(`/receipt#${wrong}`);
  await expect(
    page.getByText("There is no receipt with this number, or it belongs to another account."),
  ).toBeVisible();
  musette.erase("demo-rider-1");
  await elsewhere.page.goto(`/receipt#${number}`);
  await expect(elsewhere.page.getByText("was erased")).toBeVisible();
  for (const { context } of [elsewhere, third]) await context.close();
});

test("shows a stored receipt without a connection, and claims nothing unknown", async ({
  page,
  allow,
}) => {
  allow(/ERR_FAILED/);
  // From the start, because an earlier answer would be shown with its time.
  await page.route("**/terms/consents/receipts", (route) => route.abort());
  const number = await apply(page);
  await page.goto("/agreements");
  await page.goto(`/receipt#${number}`);
  await expect(page.locator(".receipt code")).toHaveText(number);
  await expect(page.locator(".choices")).toHaveCount(0);
  await page.unroute("**/terms/consents/receipts");
  const agree = page.locator(".choices").getByRole("switch");
  // The page also retries by itself, and then the button disappears.
  const tap = page.getByRole("button", { name: "Try again" }).click();
  await Promise.race([tap, expect(agree).toBeChecked()]);
  await expect(agree).toBeChecked();
});

test("a phone without storage says so next to the number, and claims nothing later", async ({
  page,
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await apply(page);
  await expect(page.getByText("This phone could not keep this number.")).toBeVisible();
  await takePicture(page, "receipt-not-kept");
  await page.goto("/agreements");
  await expect(page.getByText("This phone does not know what was agreed to")).toBeVisible();
  await expect(page.getByText("Nothing agreed")).toHaveCount(0);
  await takePicture(page, "agreements-not-kept");
});
