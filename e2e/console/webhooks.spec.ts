import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import { newStore, serve } from "../setup/musette";
import { test as base, expect } from "../setup/test";
import { PASSWORD, signInByLink } from "./admin";

interface Receiver {
  readonly url: string;
  /** The headers of the requests that it received. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Sets the status of its next answers. */
  answers(status: number): void;
}

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of the pattern
  musette: async ({}, use) => {
    await serve(newStore(), ["--webhook-allow", "127.0.0.0/8"], use);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of the pattern
  receiver: async ({}, use) => {
    const headers: IncomingHttpHeaders[] = [];
    let status = 204;
    const server = createServer((request, response) => {
      headers.push(request.headers);
      request.resume();
      response.writeHead(status).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await use({
      url: `http://127.0.0.1:${port}/musette`,
      headers,
      answers(next) {
        status = next;
      },
    });
    server.closeAllConnections();
    server.close();
  },
});

test.use({ viewport: { width: 1280, height: 800 } });

/** Takes pictures for inspection if `MUSETTE_SEE=DIR` is set. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.MUSETTE_SEE;
  if (!folder) return;
  const [viewport, tag] = [
    page.viewportSize(),
    await page.evaluate(() => localStorage["musette.language"]),
  ];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const path = join(folder, `${name}-${tag ?? "en"}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  if (viewport) await page.setViewportSize(viewport);
}

async function expectNoAxeErrors(page: Page): Promise<void> {
  expect((await axeBuilder(page).analyze()).violations).toEqual([]);
}

async function add(page: Page, url: string): Promise<string> {
  await page.goto("/console/settings/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(url);
  await dialog.getByLabel("Description").fill("Shift planner");
  await dialog.getByLabel("Consent withdrawn").check();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  const secret = dialog.getByText(/^whsec_/);
  await expect(secret).toBeVisible();
  const text = await secret.textContent();
  await takePicture(page, "webhook-secret");
  await expectNoAxeErrors(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(secret).toHaveCount(0);
  return text ?? "";
}

test("a webhook is added, tested, rotated, edited and deleted", async ({
  page,
  musette,
  receiver,
}) => {
  await signInByLink(page, musette);
  await page.goto("/console/settings/webhooks");
  await expect(page.getByText("No webhooks")).toBeVisible();
  await takePicture(page, "webhooks-none");
  const first = await add(page, receiver.url);
  await expect(page.getByText("Shift planner")).toBeVisible();
  await takePicture(page, "webhooks");
  await expectNoAxeErrors(page);

  await page.getByRole("link", { name: receiver.url }).click();
  await expect(page.getByText("No deliveries yet")).toBeVisible();
  await page.getByRole("button", { name: "Send test event" }).click();
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await expect(deliveries.getByText("Delivered")).toBeVisible();
  await expect(deliveries.getByText("204")).toBeVisible();
  await takePicture(page, "webhook");
  await expectNoAxeErrors(page);
  await deliveries.getByRole("button", { name: "Resend: Test event" }).click();
  await expect.poll(() => receiver.headers.length).toBe(2);
  const ids = receiver.headers.map((header) => header["webhook-id"]);
  expect(ids[1]).toBe(ids[0]);

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  const second = dialog.getByText(/^whsec_/);
  await expect(second).toBeVisible();
  expect(await second.textContent()).not.toBe(first);
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByRole("button", { name: "Select all" }).click();
  await takePicture(page, "webhook-edit");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The webhook is saved.")).toBeVisible();
  await expect(page.getByRole("listitem").getByText("Grace period ended")).toBeVisible();

  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("The webhook is deleted.")).toBeVisible();
  await expect(page.getByText("No webhooks")).toBeVisible();
});

test("a disabled webhook says why, and sends again once enabled", async ({
  page,
  musette,
  receiver,
}) => {
  await signInByLink(page, musette);
  await add(page, receiver.url);
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);
  await page.getByRole("button", { name: "Resume webhook" }).click();

  receiver.answers(410);
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText("the endpoint returned 410")).toBeVisible();
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await expect(deliveries.getByText("Failed")).toBeVisible();
  await takePicture(page, "webhook-off");
  await expectNoAxeErrors(page);
  await page.evaluate(() => localStorage.setItem("musette.language", "ar"));
  await page.reload();
  await page.locator("tbody tr[data-index]").waitFor();
  await takePicture(page, "webhook-off");
  await page.goto("/console/settings/webhooks");
  await page.locator("tbody tr[data-index]").waitFor();
  await takePicture(page, "webhooks");
  await page.evaluate(() => localStorage.setItem("musette.language", "en"));
  await page.goto("/console/settings/webhooks");
  await expect(page.getByRole("cell", { name: "Disabled" })).toBeVisible();
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByRole("button", { name: "Resume webhook" }).click();
  await expect(page.getByText("Events are sent again.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toBeVisible();
});

test("a webhook that failed ten times says so, and since when", async ({
  page,
  musette,
  receiver,
}) => {
  // Ten attempts take days, so the server's answer is replaced by the later one.
  await page.route(/\/webhooks\/[^/?]+$/, async (route) => {
    const response = await route.fetch();
    const since = { disabled_at: "2026-11-02T08:00:00Z", disabled_because: "failed" };
    await route.fulfill({
      response,
      json: { ...(await response.json()), enabled: false, ...since },
    });
  });
  await signInByLink(page, musette);
  await add(page, receiver.url);
  await page.getByRole("link", { name: receiver.url }).click();
  await expect(page.getByText("Disabled after 10 failed attempts")).toBeVisible();
  await expect(page.getByText("Since Mon, Nov 2, 2026, 08:00.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Resume webhook" })).toBeVisible();
});

test("explains why an address inside the company is refused", async ({ page, musette, allow }) => {
  allow(/status of 422/);
  await signInByLink(page, musette);
  await page.goto("/console/settings/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("https://10.0.0.7/musette");
  await dialog.getByRole("button", { name: "Select all" }).click();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This address is private.");
  // The form is longer than the screen, so it scrolls to the error.
  await expect(dialog.getByLabel("URL")).toBeFocused();
  await expect(dialog.getByRole("alert")).toBeInViewport();
  await takePicture(page, "webhook-refused");
});

test("tells a person who may not see webhooks which roles may", async ({ page, musette }) => {
  musette.addOperator("ole-operator", "ole@larkspur.example", PASSWORD);
  await page.goto("/console/sign-in");
  await page.getByLabel("E-mail").fill("ole@larkspur.example");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto("/console/settings/webhooks");
  await expect(
    page.getByText(/^Only these roles can make changes here: .*dmin.*\.$/),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Add webhook" })).toHaveCount(0);
});
