import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import { test as base, expect } from "../setup/test";

export const SUBSCRIBED = ["checkin-v2", "held", "quest-cards"];

const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

const variations = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

/** A flag that is on for all, one with half of the people held out, and an A/B test. */
export function configuration({ questCards = true, phase = 1 } = {}): object {
  const flag = { tags: [], clientVisible: true, on: true, rules: [] };
  const onOff = {
    ...flag,
    type: "boolean",
    variations: variations({ on: true, off: false }),
    offVariation: "off",
    baselineVariation: "off",
  };
  return {
    schema: "musette.flags/1",
    environment: "production",
    version: 1,
    attributes: [{ name: "country", type: "string" }],
    segments: [],
    layers: [],
    holdouts: [
      {
        key: "2026-q4",
        salt: "a91e",
        unit: "userId",
        percent: 50,
        status: "running",
        priority: 1,
        scope: "all",
        applies: { mode: "selected", flags: ["held"], tags: [] },
      },
    ],
    flags: [
      { ...onOff, key: "quest-cards", salt: "k2", defaultVariation: questCards ? "on" : "off" },
      { ...onOff, key: "held", salt: "k3", defaultVariation: "on" },
      {
        ...flag,
        key: "greeting",
        type: "string",
        salt: "k4",
        variations: variations({ plain: "Hello", ana: "Hello, r1" }),
        offVariation: "plain",
        baselineVariation: "plain",
        defaultVariation: "plain",
        overrides: [{ unit: "userId", id: "r1", variation: "ana" }],
      },
      {
        ...flag,
        key: "checkin-v2",
        type: "string",
        salt: "p7",
        variations: variations({ control: "list", map: "map" }),
        offVariation: "control",
        baselineVariation: "control",
        defaultVariation: "control",
        rules: [
          {
            id: "x1",
            when: { all: [] },
            serve: {
              experiment: {
                key: "checkin-v2",
                unit: "userId",
                seed: "91b2",
                coverage: 100_000,
                weights: { control: 50_000, map: 50_000 },
                sticky: false,
                bucketVersion: 1,
                minBucketVersion: 0,
                phase,
                status: "running",
              },
            },
          },
        ],
      },
    ],
  };
}

export interface Host {
  readonly musette: Musette;
  readonly context: BrowserContext;
  /** The addresses of all requests for values so far, of all tabs. */
  readonly asked: string[];
  /** Returns how many exposures the server has counted. */
  counted(): Promise<number>;
  /** Opens a tab of the host's page with the client in it. */
  open(): Promise<Page>;
  /** Makes the server fail: as when it is down (`abort`) or when it does not answer (`hang`). */
  down(how: "abort" | "hang"): Promise<void>;
  up(): Promise<void>;
  /** Whether the page is a document of opaque origin, without any storage. */
  sandboxed: boolean;
}

export const test = base.extend<{ host: Host }>({
  store: "empty",
  host: async ({ musette, context }, use) => {
    musette.importFlags(configuration());
    const key = musette.createFlagKey();
    const service = /\/api\/flags\/v\d\/features/;
    const host: Host = {
      musette,
      context,
      asked: [],
      async counted() {
        const metrics = await musette.metrics();
        return Number(/^musette_flag_events_total(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1] ?? 0);
      },
      sandboxed: false,
      async open() {
        const page = await context.newPage();
        await page.goto(`${musette.url}/stage/flags.html?key=${key}`);
        await page.waitForFunction(() => "flags" in globalThis);
        return page;
      },
      async down(how) {
        await context.route(service, (route) => (how === "abort" ? route.abort() : undefined));
      },
      up: () => context.unroute(service),
    };
    context.on("request", (request) => {
      if (request.method() === "PUT" && service.test(request.url())) host.asked.push(request.url());
    });
    await context.route(/\/stage\//, async (route) => {
      const name = new URL(route.request().url()).pathname.replace("/stage/", "");
      await route.fulfill({
        body: readFileSync(join(prepared, "stage", name)),
        contentType: TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
        headers: {
          "Access-Control-Allow-Origin": "*",
          ...(host.sandboxed && { "Content-Security-Policy": "sandbox allow-scripts" }),
        },
      });
    });
    await use(host);
  },
});

/** Signs in with the subscribed flags, and waits until they are stored. */
export async function signIn(page: Page, userId: string, stream = false): Promise<void> {
  await page.evaluate(
    ([id, subscribe, streaming]) =>
      flags.create({ subscribe, stream: streaming }).setUser({ userId: id }),
    [userId, SUBSCRIBED, stream] as const,
  );
}

/** Waits until the values are stored, so that a page that is closed now keeps them. */
export async function waitUntilStored(page: Page): Promise<void> {
  const count = () =>
    page.evaluate(async () => {
      const open = indexedDB.open("musette-flags");
      await new Promise((resolve) => {
        open.onsuccess = resolve;
      });
      const rows = open.result.transaction("fwf-flags-db").objectStore("fwf-flags-db").count();
      return new Promise<number>((resolve) => {
        rows.onsuccess = () => resolve(rows.result);
      });
    });
  await expect.poll(count).toBeGreaterThan(0);
}

/** Returns the value of `getFlag`, and how long it took. */
export async function getFlag(page: Page, key: string, fallback: string | boolean) {
  return page.evaluate(
    async ([name, instead]) => {
      const startMs = performance.now();
      const result = await flags.client.getFlag(name, instead);
      const { variation, explanation, dateCached } = result;
      return { variation, explanation, dateCached, tookMs: performance.now() - startMs };
    },
    [key, fallback] as const,
  );
}

export { expect };
