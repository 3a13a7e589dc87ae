import type { BrowserContext, CDPSession, Page, Worker } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import type { Musette } from "../setup/musette";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { overflowX, takePicture } from "./phones";
import { open, phone, textsOf } from "./pocket";

test.use({ store: "empty" });

const DOCUMENT = new URL("../../demo/documents/equipment-deposit.en.pdf", import.meta.url).pathname;
const COMPANY = "Larkspur Couriers";

/** The example of RFC 8291, section 5. */
const KEYS = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

/**
 * Replaces the push service and the permission, which a browser without windows does not have. The
 * messages are real ones.
 */
function fakePushService(keys: object): void {
  const STORED = "push service";
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  const subscription = () => {
    const endpoint = localStorage.getItem(STORED);
    return (
      endpoint && {
        endpoint,
        toJSON: () => ({ endpoint, expirationTime: null, keys }),
        unsubscribe: async () => {
          localStorage.removeItem(STORED);
          return true;
        },
      }
    );
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => subscription() || null,
    subscribe: async (options: PushSubscriptionOptionsInit) => {
      const key = options.applicationServerKey as Uint8Array;
      if (!options.userVisibleOnly || key.length !== 65) throw new TypeError("a wrong key");
      localStorage.setItem(STORED, `https://8.8.8.8/send/${Math.random()}`);
      return subscription();
    },
  });
}

async function riderPhone(context: BrowserContext, locale = "en"): Promise<Page> {
  await context.grantPermissions(["notifications"]);
  await context.addInitScript(fakePushService, KEYS);
  return await open(context, locale);
}

function fill(musette: Musette): { readonly notice: number } {
  musette.addRider("rider-1", "Ottilie Fenwick");
  musette.addRider("rider-2", "Bram Tolliver");
  musette.publish(DOCUMENT, "FREELANCER", "Freelancer agreement", "--mandatory");
  const { id } = musette.publish(DOCUMENT, "FREELANCER", "Rules of pay", "--kind", "notice");
  return { notice: id };
}

async function agree(page: Page): Promise<void> {
  await page.goto("/terms");
  await page.locator("[data-term] input").first().click();
  await page.locator(".mu-consent-footer button").click();
  await page.locator(".receipt").waitFor();
}

/** Returns a function that sends a message to the worker, as the browser does after decrypting it. */
async function pushTo(page: Page): Promise<(message: object) => Promise<void>> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((done) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) done(first.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  await workerOf(page);
  return async (message) => {
    const { origin } = new URL(page.url());
    const data = JSON.stringify(message);
    await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

interface Shown {
  readonly title: string;
  readonly options: NotificationOptions;
}

/** The worker, with the list of notifications that this browser cannot show. */
interface WorkerWithList {
  readonly registration: ServiceWorkerRegistration;
  shown?: Map<string | undefined, Shown>;
}

async function workerOf(page: Page): Promise<Worker> {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error("The worker has not started.");
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerWithList;
    if (scope.shown) return;
    const shown = new Map<string | undefined, Shown>();
    scope.shown = shown;
    // A notification replaces one with the same tag.
    scope.registration.showNotification = async (title, options = {}) =>
      void shown.set(options.tag, { title, options });
  });
  return worker;
}

const notifications = async (page: Page) =>
  (await workerOf(page)).evaluate(() => {
    const { shown } = globalThis as unknown as WorkerWithList;
    return [...(shown?.values() ?? [])].map(({ title, options: { body, data } }) => ({
      title,
      body,
      data,
    }));
  });

/** Taps the notification, which then disappears. */
const tapNotification = async (page: Page) =>
  (await workerOf(page)).evaluate(async () => {
    const { shown } = globalThis as unknown as WorkerWithList;
    const [first] = shown?.values() ?? [];
    const notification = { data: first?.options.data, close: () => shown?.clear() };
    // Without a tap of a user, the browser does not focus the tab.
    const work: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>) => void work.push(promise.catch(() => {}));
    dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil }));
    await Promise.all(work);
  });

const answered = (page: Page, method: string) =>
  page.waitForResponse(
    (response) =>
      response.url().includes("/push-subscriptions/") && response.request().method() === method,
  );

test("a rider is asked after the first agreement, and a notification opens the document", async ({
  browser,
  musette,
}) => {
  const { notice } = fill(musette);
  const message = {
    title: COMPANY,
    body: "Rules of pay",
    url: `https://terms.example/notices#${notice}`,
  };
  const { context } = await phone(browser, musette.url);
  const page = await riderPhone(context);
  await signIn(page, musette, "rider-1");
  await page.goto("/");
  await page.locator("[data-standing=now]").waitFor();
  await expect(page.locator(".push-card")).toHaveCount(0);
  await agree(page);
  const card = page.locator(".push-card");
  await expect(card).toBeVisible();
  expect((await axeBuilder(page).analyze()).violations).toEqual([]);
  await takePicture(page, "push-card");
  const saved = answered(page, "PUT");
  await card.getByRole("button", { name: "Turn on notifications" }).click();
  expect((await saved).status()).toBe(201);
  await expect(page.getByText("Notifications are on for this device.")).toBeVisible();

  await page.goto("/notices");
  const push = await pushTo(page);
  await push(message);
  await expect
    .poll(() => notifications(page))
    .toEqual([{ title: COMPANY, body: "Rules of pay", data: `/notices#${notice}` }]);
  await push(message);
  await tapNotification(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Rules of pay");
  await expect.poll(() => notifications(page)).toEqual([]);
  await expect(page).toHaveURL(new RegExp(`/notices#${notice}$`));
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/notices$/);

  // The rider's next sign-in has the messages again, and the other rider never has them.
  await page.goto("/");
  const deleted = answered(page, "DELETE");
  await page.getByRole("button", { name: "Sign out" }).click();
  expect((await deleted).status()).toBe(204);
  await expect(page.getByRole("button", { name: "Sign out" })).toHaveCount(0);
  await signIn(page, musette, "rider-2");
  await page.goto("/notices");
  await push(message);
  await expect(page.getByRole("switch")).not.toBeChecked();
  expect(await notifications(page)).toEqual([]);
  const again = answered(page, "PUT");
  await signIn(page, musette, "rider-1");
  await page.reload();
  expect((await again).status()).toBe(201);
  await expect(page.getByRole("switch")).toBeChecked();
  await takePicture(page, "push-switch");

  // The host's app signs another person in, and this app was not opened since.
  await page.goto("/openapi.json");
  await push(message);
  await expect.poll(() => notifications(page)).toHaveLength(1);
  await signIn(page, musette, "rider-2");
  await push({ ...message, body: "Rules of insurance" });
  await push({ ...message, body: "Rules of rest" });
  await page.waitForTimeout(500);
  expect((await notifications(page)).map(({ body }) => body)).toEqual(["Rules of pay"]);
  await context.close();
});

test("a rider who does not want notifications is not asked again, and can turn them on", async ({
  browser,
  musette,
}) => {
  fill(musette);
  const { context } = await phone(browser, musette.url);
  const page = await riderPhone(context);
  await signIn(page, musette, "rider-1");
  await agree(page);
  await page.locator(".push-card").getByRole("button", { name: "No, thanks" }).click();
  await expect(page.locator(".push-card")).toHaveCount(0);
  await page.goto("/");
  await page.locator("[data-standing=done]").waitFor();
  await expect(page.locator(".push-card")).toHaveCount(0);
  await page.goto("/devices");
  const saved = answered(page, "PUT");
  await page.getByRole("switch", { name: "On this device" }).click();
  expect((await saved).status()).toBe(201);
  await expect(page.getByRole("switch")).toBeChecked();
  const deleted = answered(page, "DELETE");
  await page.getByRole("switch").click();
  expect((await deleted).status()).toBe(204);
  await page.reload();
  await expect(page.getByRole("switch")).not.toBeChecked();
  await context.close();
});

test("the question fits a phone of 320 pixels in Arabic", async ({ browser, musette }) => {
  fill(musette);
  const { context } = await phone(browser, musette.url, "ar", 320);
  const page = await riderPhone(context, "ar");
  await signIn(page, musette, "rider-1");
  await agree(page);
  const texts = textsOf("ar", "rider");
  await expect(page.locator(".push-card h2")).toHaveText(texts["push.ask"] as string);
  expect(await overflowX(page)).toBe(0);
  expect((await axeBuilder(page).analyze()).violations).toEqual([]);
  await takePicture(page, "push-card");
  await context.close();
});
