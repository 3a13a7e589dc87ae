import { join } from "node:path";
import type { Page } from "@playwright/test";
import { HANDBOOK, MARKETING } from "../consent/screen";
import type { Musette } from "../setup/musette";
import { loseAFifth, type Network, network } from "../setup/network";
import { prepared } from "../setup/prepare";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { overflowX, takePicture } from "./phones";
import { phone, reopenApp, retryUntilVisible, waitUntilCached } from "./pocket";

const all = (page: Page) => page.locator("[data-term=all] input");
const send = (page: Page) => page.locator(".mu-consent-footer button");
const alert = (page: Page) => page.locator(".mu-consent [role=alert]");
const accounts = (musette: Musette) => musette.decisions().map((row) => row.user_id);

for (const { locale, width } of [
  { locale: "en", width: 360 },
  { locale: "de", width: 320 },
  { locale: "ar", width: 320 },
  { locale: "th", width: 360 },
]) {
  test(`sends a decision made offline, with the app closed at each step: ${locale}`, async ({
    browser,
    musette,
  }) => {
    const first = await phone(browser, musette.url, locale, width);
    let { page } = first;
    await page.goto("/apply");
    await expect(all(page)).toBeVisible();
    await waitUntilCached(page);

    await first.context.setOffline(true);
    page = await reopenApp(page, "/apply", locale);
    await expect(page.locator(".suspended")).toBeVisible();
    await all(page).click();
    await takePicture(page, "offline-list");
    await send(page).click();
    await expect(alert(page)).toBeVisible();
    await expect(page.locator(".receipt")).toHaveCount(0);
    await expect(all(page)).toBeDisabled();
    expect(await overflowX(page)).toBe(0);
    await takePicture(page, "offline-unsent");
    expect(musette.decisions()).toHaveLength(0);

    page = await reopenApp(page, "/", locale);
    await expect(page.locator("[data-standing=pending]")).toBeVisible();
    await takePicture(page, "offline-start");
    expect(await overflowX(page)).toBe(0);
    expect(musette.decisions()).toHaveLength(0);

    await first.context.setOffline(false);
    await expect.poll(() => musette.decisions().length).toBe(4);
    page = await reopenApp(page, "/apply", locale);
    // The app cannot know that it is the same person, so it shows the receipt after a confirmation.
    await alert(page).getByRole("button").first().click();
    await expect(page.locator(".receipt code")).toBeVisible();

    await first.context.setOffline(true);
    page = await reopenApp(page, `/receipt${new URL(page.url()).hash}`, locale);
    await expect(page.locator(".receipt code")).toBeVisible();
    expect(musette.decisions()).toHaveLength(4);
    await first.context.close();
  });
}

test("keeps the texts of the languages that were shown, and no others", async ({
  browser,
  musette,
}) => {
  const { context, page } = await phone(browser, musette.url, "de");
  await page.goto("/apply");
  await expect(all(page)).toBeVisible();
  await waitUntilCached(page);
  const languages = () =>
    page.evaluate(async () => {
      const files: string[] = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) files.push(url);
      const tags = files.map((url) => /\/assets\/([a-z]{2})-[\w-]+\.js$/.exec(url)?.[1]);
      return [...new Set(tags.filter((tag) => tag && tag !== "en"))].sort();
    });
  expect(await languages()).toEqual(["de"]);
  await page.locator(".language-switch select").selectOption("ar");
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await expect.poll(languages).toEqual(["ar", "de"]);
  await context.setOffline(true);
  const offline = await reopenApp(page, "/apply", "ar");
  await expect(all(offline)).toBeVisible();
  await context.close();
});

test("withdraws an unsent decision and never sends it", async ({ browser, musette }) => {
  const { context, page } = await phone(browser, musette.url);
  await page.goto("/apply");
  await expect(all(page)).toBeVisible();
  await context.setOffline(true);
  await all(page).click();
  await send(page).click();
  await expect(alert(page)).toContainText("not sent yet, so it does not count yet");
  await page.getByRole("button", { name: "Do not send it" }).click();
  await expect(alert(page)).toHaveCount(0);
  await expect(all(page)).toBeEnabled();
  await all(page).click();
  await context.setOffline(false);
  await page.goto("/");
  await expect(page.locator("[data-standing=pending]")).toHaveCount(0);
  expect(musette.decisions()).toHaveLength(0);
  await context.close();
});

test("shows the pages that were loaded before, and says that others are missing", async ({
  browser,
  musette,
}) => {
  const { context, page: opened } = await phone(browser, musette.url);
  const handbook = (page: Page) => {
    const dialog = page.getByRole("dialog", { name: HANDBOOK });
    const at = (number: number) => dialog.locator(`[data-page="${number}"]`);
    const picture = (number: number) =>
      at(number)
        .locator("img")
        .evaluate((element) => (element as HTMLImageElement).naturalWidth);
    return { dialog, at, picture };
  };
  await opened.goto("/apply");
  await waitUntilCached(opened);
  // From the worker, which has cached it since the first visit.
  const page = await reopenApp(opened, "/apply");
  // A person who chooses the page view once gets it from then on.
  await page.getByRole("button", { name: `Open ${HANDBOOK}` }).click();
  await page.getByRole("dialog").locator("footer [data-icon=pages]").click();
  await expect.poll(() => handbook(page).picture(1)).toBeGreaterThan(0);
  await expect(handbook(page).at(1)).toContainText("Section 1");

  await context.setOffline(true);
  const offline = await reopenApp(page, "/apply");
  await offline.getByRole("button", { name: `Open ${HANDBOOK}` }).click();
  const { dialog, at, picture } = handbook(offline);
  await expect.poll(() => picture(1)).toBeGreaterThan(0);
  await at(30).scrollIntoViewIfNeeded();
  await expect(at(30).getByText("Page 30 could not be loaded.")).toBeVisible();
  await takePicture(offline, "offline-missing-page");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  // Removed from memory while page 30 was read, and available again without a network.
  await at(1).scrollIntoViewIfNeeded();
  await expect.poll(() => picture(1)).toBeGreaterThan(0);

  await context.setOffline(false);
  // A picture is only fetched near the view, which taking a screenshot moves.
  await at(30).scrollIntoViewIfNeeded();
  await expect.poll(() => picture(30)).toBeGreaterThan(0);
  await expect(at(30).getByRole("button")).toHaveCount(0);
  await context.close();
});

test("shows the complete text view without a network", async ({ browser, musette }) => {
  const { context, page: opened } = await phone(browser, musette.url);
  await opened.goto("/apply");
  await waitUntilCached(opened);
  const read = (page: Page, section: number) =>
    page
      .getByRole("dialog", { name: HANDBOOK })
      .locator(".mu-viewer-reading")
      .getByText(`Section ${section}, rule 1:`)
      .first();
  const page = await reopenApp(opened, "/apply");
  await page.getByRole("button", { name: `Open ${HANDBOOK}` }).tap();
  await expect(read(page, 1)).toBeVisible();
  await context.setOffline(true);
  const offline = await reopenApp(page, "/apply");
  await offline.getByRole("button", { name: `Open ${HANDBOOK}` }).tap();
  await read(offline, 30).scrollIntoViewIfNeeded();
  await expect(read(offline, 30)).toBeInViewport();
  await takePicture(offline, "offline-text");
  await context.close();
});

test("the browser sends a decision while the app is closed", async ({ browser, musette }) => {
  const { context, page } = await phone(browser, musette.url);
  await page.goto("/apply");
  await expect(all(page)).toBeVisible();
  await waitUntilCached(page);
  await context.setOffline(true);
  await all(page).click();
  await send(page).click();
  await expect(alert(page)).toBeVisible();

  const elsewhere = await context.newPage();
  await page.close();
  const cdp = await context.newCDPSession(elsewhere);
  const registered = new Promise<string>((found) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(musette.url));
      if (own) found(own.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  await context.setOffline(false);
  const sync = { origin: musette.url, registrationId, tag: "musette-pending", lastChance: false };
  await cdp.send("ServiceWorker.dispatchSyncEvent", sync);
  await expect.poll(() => musette.decisions().length).toBe(4);
  expect(new Set(musette.decisions().map((row) => row.receipt_id)).size).toBe(1);
  await context.close();
});

test("explains that the terms have changed, and records no decision", async ({
  browser,
  musette,
}) => {
  const { context, page } = await phone(browser, musette.url);
  await page.goto("/apply");
  await expect(all(page)).toBeVisible();
  await waitUntilCached(page);
  await context.setOffline(true);
  await all(page).click();
  await send(page).click();
  await expect(alert(page)).toBeVisible();
  const next = musette.publish(
    ...([join(prepared, "handbook.pdf"), "FREELANCER", "Rider handbook, second edition"] as const),
    ...["--mandatory", "--order", "2", "--replaces", "2"],
  );
  const reopened = await reopenApp(page, "/", "en");
  await context.setOffline(false);
  await expect(reopened.getByText("Nothing was agreed to for you.")).toBeVisible();
  await reopened.getByRole("link", { name: "Read and agree" }).click();
  await expect(alert(reopened)).toContainText("was not recorded: the terms had changed");
  await takePicture(reopened, "offline-refused");
  await alert(reopened).getByRole("button").click();
  await expect(reopened.locator(`[data-term="${next.id}"]`)).toBeVisible();
  for (const box of await reopened.locator("[data-term] input").all())
    await expect(box).not.toBeChecked();
  expect(musette.decisions()).toHaveLength(0);
  await context.close();
});

/** Returns everything that scripts of the origin can read on this phone. */
const storedTexts = (page: Page) =>
  page.evaluate(async () => {
    const texts: string[] = [document.cookie, ...Object.values(localStorage)];
    texts.push(...Object.values(sessionStorage), document.body.innerText);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url);
        const answer = await cache.match(request);
        if (answer?.headers.get("content-type")?.includes("json")) texts.push(await answer.text());
      }
    }
    return texts.join("\n");
  });

test("a second person on the phone finds no data of the first", async ({ browser, musette }) => {
  const { context, page: opened } = await phone(browser, musette.url);
  let page = opened;
  await page.goto("/");
  await signIn(page, musette, "demo-rider-1");
  await page.goto("/terms");
  await all(page).click();
  await send(page).click();
  const receipt = await page.locator(".receipt code").innerText();
  await page.goto("/");
  await expect(page.locator("[data-standing=done]")).toBeVisible();
  await page.goto("/agreements");
  const switched = page.getByRole("listitem", { name: "Marketing messages" }).getByRole("switch");
  await expect(switched).toBeChecked();
  await waitUntilCached(page);

  // Offline, the first rider sees the former content with its time, and withdraws a consent.
  await context.setOffline(true);
  page = await reopenApp(page, "/");
  await expect(page.locator("[data-standing=done] .as-of")).toBeVisible();
  await takePicture(page, "offline-standing");
  page = await reopenApp(page, `/receipt#${receipt}`);
  await expect(page.locator(".receipt code")).toHaveText(receipt);
  page = await reopenApp(page, "/agreements");
  await page.getByRole("listitem", { name: "Marketing messages" }).getByRole("switch").click();
  await expect(page.getByText("kept on this phone and not sent yet")).toBeVisible();
  await takePicture(page, "offline-switch");

  await page.goto("/");
  await expect(page.getByText("It stays on this phone and goes out once")).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.locator(".greeting")).toHaveCount(0);
  const remaining = await storedTexts(page);
  for (const own of ["demo-rider-1", "Ottilie", receipt]) expect(remaining).not.toContain(own);
  page = await reopenApp(page, `/receipt#${receipt}`);
  await expect(page.getByText("No answer came.")).toBeVisible();

  // The second rider: signed in, offline, and later with a network.
  await signIn(page, musette, "demo-rider-2");
  page = await reopenApp(page, "/");
  await expect(page.locator(".greeting")).toBeVisible();
  await expect(page.locator("[data-standing=done], [data-standing=pending]")).toHaveCount(0);
  await expect(page.locator(".as-of")).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.locator("[data-standing=now]")).toBeVisible();
  expect(accounts(musette)).toEqual(Array(4).fill("demo-rider-1"));

  // When the first rider is back, their withdrawal is sent in their name.
  const signedOut = page.waitForResponse("**/session/v1/logout");
  await page.getByRole("button", { name: "Sign out" }).click();
  await signedOut;
  await signIn(page, musette, "demo-rider-1");
  page = await reopenApp(page, "/");
  await expect.poll(() => musette.decisions().length).toBe(5);
  expect(musette.decisions().at(-1)).toMatchObject({ user_id: "demo-rider-1", accepted: false });
  await expect(page.locator("[data-standing=done]")).toBeVisible();
  await context.close();
});

test.describe("through a separate line", () => {
  let line: Network;
  test.beforeEach(async ({ musette }) => {
    line = await network(musette.url);
  });
  test.afterEach(() => line.close());

  test("records a decision once on a slow network that loses every fifth response", async ({
    browser,
    musette,
  }) => {
    line.latencyMs = Number(process.env.MUSETTE_LATENCY_MS ?? 300);
    const { context, page } = await phone(browser, line.url);
    await page.goto("/apply");
    await all(page).click();
    line.loseEvery = 1;
    await send(page).click();
    await expect(alert(page)).toContainText("No answer came.");
    line.loseEvery = 5;
    const reopened = await reopenApp(page, "/apply");
    await alert(reopened).getByRole("button").first().click();
    await expect(reopened.locator(".receipt code")).toBeVisible();
    expect(musette.decisions()).toHaveLength(4);
    await context.close();
  });

  for (const seed of [1, 2, 3]) {
    test(`records each decision once if a fifth of requests and responses is lost, seed ${seed}`, async ({
      browser,
      musette,
    }) => {
      test.setTimeout(240_000);
      line.latencyMs = Number(process.env.MUSETTE_LATENCY_MS ?? 100);
      const { context, page } = await phone(browser, line.url);
      await page.goto("/apply");
      line.fate = loseAFifth(seed);
      await retryUntilVisible(page, all(page));
      await all(page).click();
      await send(page).click();
      const receipt = page.locator(".receipt code");
      await retryUntilVisible(page, receipt);
      const agreed = musette.decisions();
      expect(agreed.map((row) => row.terms_and_conditions_id).sort()).toEqual([1, 2, 3, 4]);
      expect(new Set(agreed.map((row) => row.receipt_id))).toEqual(
        new Set([await receipt.innerText()]),
      );
      const reopened = await reopenApp(page, "/agreements");
      const marketing = reopened.getByRole("listitem", { name: MARKETING });
      await retryUntilVisible(reopened, marketing.getByRole("switch"));
      await marketing.getByRole("switch").click();
      await retryUntilVisible(reopened, marketing.locator("[data-outcome=withdrew]").first());
      const all5 = musette.decisions();
      expect(all5).toHaveLength(5);
      expect(all5.at(-1)).toMatchObject({ terms_and_conditions_id: 4, accepted: false });
      await context.close();
    });
  }

  test("shows stored terms at once, and replaces them when new ones arrive", async ({
    browser,
    musette,
  }) => {
    const { context, page } = await phone(browser, line.url);
    await page.goto("/apply");
    await waitUntilCached(page);
    const next = musette.publish(
      ...([join(prepared, "handbook.pdf"), "FREELANCER", "Handbook, second edition"] as const),
      ...["--mandatory", "--order", "2", "--replaces", "2"],
    );
    // The browser's own cache may answer for a minute.
    await (await context.newCDPSession(page)).send("Network.clearBrowserCache");
    let release = () => {};
    line.held = new Promise((go) => {
      release = go;
    });
    const reopened = await reopenApp(page, "/apply");
    const row = (id: number) => reopened.locator(`[data-term="${id}"]`);
    await row(1).getByRole("checkbox").click();
    await expect(row(2)).toBeVisible();
    release();
    await expect(row(next.id)).toContainText("second edition");
    await expect(row(2)).toHaveCount(0);
    await expect(row(next.id).getByRole("checkbox")).not.toBeChecked();
    await expect(row(1).getByRole("checkbox")).toBeChecked();
    await context.close();
  });

  test("an update while the screen is open keeps ticks and mixes no versions", async ({
    browser,
  }) => {
    const { context, page } = await phone(browser, line.url);
    await page.goto("/apply");
    await expect(all(page)).toBeVisible();
    await waitUntilCached(page);
    const answer = async (path: string) => (await fetch(line.url + path)).text();
    const [current, index] = [await answer("/worker.js"), await answer("/index.html")];
    const worker = current.replaceAll(/[0-9a-f]{16}(?=["`])/g, "f".repeat(16));
    expect(worker).not.toBe(current);
    const entry = /\/assets\/index-[\w-]+\.js/.exec(index)?.[0] ?? "";
    const [code, next] = [await answer(entry), entry.replace("index-", "index-next-")];
    // Simulates the next version: another entry file, and no files of this version on the server.
    line.instead = (path) => {
      if (path === "/worker.js")
        return { type: "text/javascript", body: worker.replaceAll(entry, next) };
      if (path === next) return { type: "text/javascript", body: `${code}\n;window.isNext=true;` };
      if (path === "/index.html" || path === "/apply")
        return { type: "text/html", body: index.replaceAll(entry, next) };
      return path.startsWith("/assets/") && path === entry ? 404 : undefined;
    };
    await page.locator('[data-term="1"] input').click();
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const isTold = () => page.evaluate(async (path) => Boolean(await caches.match(path)), next);
    await expect.poll(isTold).toBe(true);
    await expect(page.locator('[data-term="1"] input')).toBeChecked();
    // A chunk of the old version that was not loaded yet.
    await page.getByRole("button", { name: "Open Freelancer agreement" }).click();
    await expect(page.getByRole("dialog", { name: "Freelancer agreement" })).toContainText(
      "Page 1",
    );
    await page.keyboard.press("Escape");
    await expect(page.locator('[data-term="1"] input')).toBeChecked();
    expect(await page.evaluate(() => "isNext" in window)).toBe(false);

    const updated = await reopenApp(page, "/apply");
    await expect(all(updated)).toBeVisible();
    expect(await updated.evaluate(() => "isNext" in window)).toBe(true);
    await context.close();
  });
});
