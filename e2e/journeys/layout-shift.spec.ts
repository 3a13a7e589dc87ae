import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { signIn } from "../setup/sign-in";
import { expect, test } from "../setup/test";
import { apply } from "./phones";

/** A slow mobile connection. Each part of a page comes by itself. */
const SLOW = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};

/** An unexpected movement of content: the browser's own measure (Layout Instability). */
interface Shift {
  readonly value: number;
  readonly moved: string;
}

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as readonly {
        readonly value: number;
        readonly hadRecentInput: boolean;
        readonly sources: readonly { readonly node?: Element }[];
      }[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources
          .map(({ node }) => `${node?.nodeName} ${node?.className ?? node?.textContent}`)
          .join(", ");
        shifts.push({ value: entry.value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const SCREENS: readonly {
  readonly name: string;
  /** Undefined: the page on which `before` ends. */
  readonly path?: string;
  readonly settled: string;
  readonly before?: (page: Page, musette: Musette) => Promise<unknown>;
}[] = [
  { name: "the start page", path: "/", settled: ".doors .door" },
  { name: "the list of an applicant", path: "/apply", settled: "[data-term='4']" },
  {
    name: "the list of an applicant with places",
    path: "/apply?market=UY.dunmarsh",
    settled: "[data-term='4']",
    before: async (_, musette) => musette.addMarket("UY.dunmarsh"),
  },
  {
    name: "the list of a rider",
    path: "/terms",
    settled: "[data-term='4']",
    before: (page, musette) => signIn(page, musette, "demo-rider-1"),
  },
  {
    name: "the start page of a rider",
    path: "/",
    settled: ".status[data-standing=now]",
    before: (page, musette) => signIn(page, musette, "demo-rider-1"),
  },
  {
    name: "the start page after applying",
    path: "/",
    settled: ".status[data-standing=applied]",
    before: (page) => apply(page),
  },
  {
    name: "the receipt of an applicant",
    settled: ".join",
    before: (page) => apply(page),
  },
  {
    name: "the agreements of an applicant",
    path: "/agreements",
    settled: ".agreement",
    before: (page) => apply(page),
  },
  {
    name: "the agreements of a rider",
    path: "/agreements",
    settled: ".calm",
    before: (page, musette) => signIn(page, musette, "demo-rider-1"),
  },
  {
    name: "the devices of a rider",
    path: "/devices",
    settled: ".device",
    before: (page, musette) => signIn(page, musette, "demo-rider-1"),
  },
];

for (const { name, path, settled, before } of SCREENS) {
  test(`keeps the content in place on a slow connection: ${name}`, async ({ page, musette }) => {
    await page.setViewportSize({ width: 360, height: 720 });
    await before?.(page, musette);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.clearBrowserCache");
    await devtools.send("Network.emulateNetworkConditions", SLOW);
    await watchShifts(page);
    await (path ? page.goto(path) : page.reload());
    await page.locator(settled).first().waitFor();
    await page.waitForLoadState("networkidle");
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(total, JSON.stringify(shifts)).toBeLessThan(0.01);
  });
}
