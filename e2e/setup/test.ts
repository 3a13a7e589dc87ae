import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { type Musette, newStore, serve } from "./musette";
import { prepared } from "./prepare";

interface Fixtures {
  /** "prepared": four terms and two riders; "empty": neither, and therefore no demonstration. */
  store: "prepared" | "empty";
  /** Further options of the server. */
  options: readonly string[];
  musette: Musette;
  /** Allows errors that a test causes on purpose. Any other error on the console fails the test. */
  allow: (error: RegExp) => void;
  consoleErrors: { readonly allowed: RegExp[]; readonly seen: string[] };
}

export const test = base.extend<Fixtures>({
  store: ["prepared", { option: true }],

  options: [[], { option: true }],

  musette: async ({ store, options }, use) => {
    if (store === "empty") await serve(newStore(), [...options], use);
    else await serve(newStore(join(prepared, "store")), ["--demo", ...options], use);
  },

  baseURL: async ({ musette }, use) => use(musette.url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of the pattern
  consoleErrors: async ({}, use) => use({ allowed: [], seen: [] }),

  allow: async ({ consoleErrors }, use) => use((error) => consoleErrors.allowed.push(error)),

  page: async ({ page, consoleErrors }, use) => {
    // Chromium also reports each violation of the Content-Security-Policy here.
    page.on("console", (message) => {
      if (message.type() === "error") consoleErrors.seen.push(message.text());
    });
    page.on("pageerror", (error) => consoleErrors.seen.push(String(error)));
    page.on("dialog", (dialog) => {
      consoleErrors.seen.push(`A dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    serveStageOnDemand(page);
    await use(page);
    // Before the routes are removed: the server does not have the files that they answered.
    const unexpected = consoleErrors.seen.filter(
      (error) => !consoleErrors.allowed.some((allowed) => allowed.test(error)),
    );
    // A route that still waits for an answer would fail a finished test. A page that the test has
    // closed, or is closing, has no routes.
    for (const routed of [page, page.context()]) {
      await routed.unrouteAll({ behavior: "ignoreErrors" }).catch(() => undefined);
    }
    expect(unexpected, "errors on the console").toEqual([]);
  },
});

/**
 * Routes `/stage/` before the first navigation to it. A route makes the browser ask Playwright before each request and
 * turns its cache off, also for the pages that do not need it.
 */
function serveStageOnDemand(page: Page): void {
  const goto = page.goto.bind(page);
  let isRouted = false;
  page.goto = async (url, options) => {
    if (url.startsWith("/stage/") && !isRouted) {
      isRouted = true;
      await serveStage(page);
    }
    return await goto(url, options);
  };
}

const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

/**
 * Serves a host's page on the origin of the real server, so that everything except the page comes
 * from there. Its content security policy is the server's own, except that it may fetch documents
 * elsewhere.
 */
export async function serveStage(page: Page): Promise<void> {
  await page.route(/\/stage\//, async (route) => {
    const name = new URL(route.request().url()).pathname.replace("/stage/", "") || "index.html";
    await route.fulfill({
      body: readFileSync(join(prepared, "stage", name)),
      contentType: TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
      headers: {
        "Content-Security-Policy":
          "default-src 'self'; connect-src 'self' https://contracts.example; object-src 'none'; base-uri 'none'",
      },
    });
  });
}

export { expect };
