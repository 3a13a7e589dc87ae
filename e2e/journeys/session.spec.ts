import { consentScreen } from "../consent/screen";
import { network } from "../setup/network";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";

const REFRESH = "/api/session/v1/refresh";

test("an expired access token interrupts nothing", async ({ page, musette, allow }) => {
  // The browser itself writes the refused request to the console.
  allow(/status of 401/);
  const refreshes: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(REFRESH)) refreshes.push(request.url());
  });
  await signIn(page, musette, "demo-rider-1", -60);
  await page.goto("/terms");
  const { accept, all } = consentScreen(page);
  await all.click();
  await accept.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Done. You have agreed.");
  expect(refreshes).toHaveLength(1);
  expect(musette.decisions()).toHaveLength(4);
});

test("five tabs with one expired token refresh once in total", async ({
  page,
  context,
  musette,
  allow,
}) => {
  allow(/status of 401/);
  await page.goto("/");
  const tabs = [page];
  while (tabs.length < 5) tabs.push(await context.newPage());
  await signIn(page, musette, "demo-rider-1", -60);
  let refreshes = 0;
  context.on("request", (request) => {
    if (request.url().endsWith(REFRESH)) refreshes += 1;
  });
  await Promise.all(tabs.map((tab) => tab.goto("/terms")));
  for (const tab of tabs) await expect(consentScreen(tab).all).toBeVisible();
  expect(refreshes).toBe(1);
});

test("signing in with a code leads back, and one tap ends another device's session", async ({
  page,
  musette,
}) => {
  musette.addRider("demo-rider-1", "Ottilie Fernwick", "ottilie@larkspur.example");
  musette.tokens("demo-rider-1", 900);
  await page.goto("/sign-in?next=/devices");
  await page.getByLabel("Phone number or e-mail").fill("ottilie@larkspur.example");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(page).toHaveURL(/\/devices$/);
  await expect(page.getByText("This device")).toBeVisible();
  const others = page.getByRole("button", { name: "End", exact: true });
  await expect(others).toHaveCount(1);
  await others.click();
  await expect(others).toHaveCount(0);
});

test("the next person stays signed in when the former log-out's answer comes late", async ({
  browser,
  musette,
}) => {
  musette.addRider("demo-rider-2", "Bram Tolliver", "bram@larkspur.example");
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const line = await network(musette.url);
  line.late = (path) => (path.endsWith("/logout") ? released : undefined);
  const context = await browser.newContext({ baseURL: line.url });
  const page = await context.newPage();
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Phone number or e-mail").fill("bram@larkspur.example");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(page.locator(".greeting")).toContainText("Bram Tolliver");
  // The answer would remove the cookies, which are another person's by now.
  const late = page.waitForResponse("**/session/v1/logout");
  release();
  await (await late).finished();
  await page.reload();
  await expect(page.locator(".greeting")).toContainText("Bram Tolliver");
  await context.close();
  await line.close();
});

test("signing out without a network later ends that session, and no other", async ({
  page,
  musette,
  allow,
}) => {
  allow(/ERR_INTERNET_DISCONNECTED|status of 401/);
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/");
  await expect(page.locator(".greeting")).toBeVisible();
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === "refresh_token")?.value;
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.locator(".greeting")).toHaveCount(0);

  // The next person is already signed in when the network is back.
  await signIn(page, musette, "demo-rider-2");
  const ended = page.waitForRequest("**/session/v1/logout");
  await page.context().setOffline(false);
  const request = await ended;
  expect(request.postDataJSON()).toEqual({ refresh_token: token });
  const requestHeaders = await request.allHeaders();
  expect(requestHeaders.authorization).toBeUndefined();
  expect(requestHeaders.cookie).toBeUndefined();
  await (await request.response())?.finished();
  const again = await page.evaluate(
    async (refresh_token) =>
      (
        await fetch("/api/session/v1/refresh", {
          method: "POST",
          credentials: "omit",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ refresh_token }),
        })
      ).status,
    token,
  );
  expect(again).toBe(401);
  await page.reload();
  await expect(page.locator(".greeting")).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(String(token));
});
