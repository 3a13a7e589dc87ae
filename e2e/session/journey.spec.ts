import type { Page } from "@playwright/test";
import { setLook } from "../screens/every-screen";
import type { Musette } from "../setup/musette";
import { expect, test } from "../setup/test";

const EMAIL = "ottilie@larkspur.example";
const REFRESH = "/api/session/v1/refresh";
const TTL_S = 4;

/** Signs in like a person. Finds elements by structure, because it works in every language. */
async function signInByCode(page: Page): Promise<void> {
  await page.locator("input[name=identifier]").fill(EMAIL);
  await page.locator(".sign-in-form [type=submit]").click();
  await expect(page.locator("input[name=code]")).toBeFocused();
  const code = await page.locator(".demo-code code").textContent();
  // Pasted as a whole message, as phones do it.
  await page.locator("input[name=code]").fill(`Musette: ${code}`);
}

/** The next sign-in of this page gets an access token that expires in a few seconds. */
async function shortenTokens(page: Page, musette: Musette): Promise<void> {
  await page.route(
    "**/api/session/v1/tokens",
    (route) => route.fulfill({ json: musette.tokens("demo-rider-1", TTL_S) }),
    { times: 1 },
  );
}

for (const locale of ["en", "ar"] as const) {
  test(`a shift on one device and the end of another, ${locale}`, async ({
    page,
    browser,
    musette,
    allow,
  }) => {
    test.setTimeout(60_000);
    // The browser itself writes the refused requests to the console.
    allow(/status of 401/);
    let refreshes = 0;
    page.on("request", (request) => {
      if (request.url().endsWith(REFRESH)) refreshes += 1;
    });
    await setLook(page, { locale, dark: false });
    await shortenTokens(page, musette);
    await page.goto("/sign-in?next=/terms");
    await signInByCode(page);
    await expect(page).toHaveURL(/\/terms$/);
    await expect(page.locator("html")).toHaveAttribute("dir", locale === "ar" ? "rtl" : "ltr");
    await page.locator("[data-term=all] input").waitFor();

    await page.locator("[data-term=all] input").click();
    await page.waitForTimeout(TTL_S * 1000);
    await page.locator(".mu-consent-footer button").click();
    await expect(page.locator(".receipt")).toBeVisible();
    expect(refreshes).toBe(1);
    expect(musette.decisions()).toHaveLength(4);

    const elsewhere = await browser.newContext({ baseURL: musette.url, locale });
    const other = await elsewhere.newPage();
    await setLook(other, { locale, dark: false });
    await other.goto("/sign-in?next=/agreements");
    await signInByCode(other);
    await expect(other.locator(".agreement").first()).toBeVisible();

    await page.goto("/devices");
    await expect(page.locator(".device")).toHaveCount(2);
    await page.locator(".device:not([data-current]) button").click();
    await expect(page.locator(".device")).toHaveCount(1);

    // The other page shows a calm message, and returns to its former place after a new sign-in.
    await other.goto("/agreements");
    const again = other.locator(".calm a[href^='/sign-in']");
    await expect(again).toBeVisible();
    await again.click();
    await signInByCode(other);
    await expect(other).toHaveURL(/\/agreements$/);
    await expect(other.locator(".agreement").first()).toBeVisible();
    await elsewhere.close();

    await page.reload();
    await expect(page.locator(".device")).toHaveCount(2);
  });
}
