import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { overflowX } from "../journeys/phones";
import { cutOffTexts } from "../screens/pseudo";
import { smallTargets } from "../screens/targets";
import { axeBuilder } from "../setup/axe";
import { prepared } from "../setup/prepare";

// docs/decisions/0036 explains what makes these pictures identical on other machines.
base.use({
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-lcd-text", "--font-render-hinting=none"],
      ...["--force-color-profile=srgb", "--disable-component-update"],
    ],
    env: {
      ...process.env,
      FONTCONFIG_FILE: new URL("../setup/gallery-fonts.conf", import.meta.url).pathname,
    },
  },
});

const ORIGIN = "https://gallery.example";
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Look {
  readonly locale: string;
  readonly scheme: "light" | "dark";
  readonly width: number;
  readonly forced?: boolean;
  /**
   * Whether pictures are compared: of all stories, or only of those that are difficult with forced
   * colours.
   */
  readonly pictures?: "all" | "forced";
  /**
   * Whether axe checks it. With forced colours, contrast is up to the device, and the names are the
   * same in each.
   */
  readonly axe?: boolean;
}

const LOOKS: readonly Look[] = [
  { locale: "en", scheme: "light", width: 360, pictures: "all", axe: true },
  { locale: "ar", scheme: "dark", width: 320, pictures: "all", axe: true },
  { locale: "en", scheme: "dark", width: 360, forced: true, pictures: "forced" },
  { locale: "de", scheme: "light", width: 320 },
  { locale: "ar", scheme: "light", width: 1280 },
];

const named = ({ locale, scheme, forced, width }: Look) =>
  `${locale}-${forced ? "forced" : scheme}-${width}`;

const test = base.extend<{ consoleErrors: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of the pattern
  consoleErrors: async ({}, use) => use([]),
  page: async ({ page, consoleErrors }, use) => {
    page.on(
      "console",
      (message) => message.type() === "error" && consoleErrors.push(message.text()),
    );
    page.on("pageerror", (error) => consoleErrors.push(String(error)));
    await page.route(`${ORIGIN}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.endsWith("/missing.png")) return route.fulfill({ status: 404 });
      return route.fulfill({
        path: join(prepared, "gallery", pathname === "/" ? "index.html" : pathname),
        headers: {
          "Content-Security-Policy":
            "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'",
        },
      });
    });
    // A notice says on which day something was confirmed.
    await page.clock.setFixedTime(new Date("2026-11-21T09:30:00Z"));
    await use(page);
    // One story shows a picture that does not exist.
    expect(consoleErrors.filter((error) => !/status of 404/.test(error))).toEqual([]);
  },
});

interface Listed {
  readonly name: string;
  /** The part to take a picture of: everything, unless the story names a part. */
  readonly picture: string;
  readonly forced: boolean;
}

async function stories(page: Page): Promise<Listed[]> {
  await page.goto(ORIGIN);
  await page.locator("figure").first().waitFor();
  return page.locator("figure").evaluateAll((figures) =>
    (figures as HTMLElement[]).map((figure) => ({
      name: figure.querySelector("code")?.textContent ?? "",
      picture: figure.dataset.picture ?? "",
      forced: figure.dataset.forced !== undefined,
    })),
  );
}

async function open(page: Page, name: string, { locale, scheme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 640 });
  await page.goto(`${ORIGIN}/?${new URLSearchParams({ story: name, locale, scheme })}`);
  const height = await page.evaluate(() =>
    Number.parseInt(document.documentElement.style.getPropertyValue("--gallery-height"), 10),
  );
  if (height > 0) await page.setViewportSize({ width, height });
  await page.locator("html[data-ready]").waitFor({ timeout: 10_000 });
}

/**
 * Returns the animations that run although the device asks for less motion: only the spinner, which
 * then turns in steps.
 */
const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 1)
      .map(
        (animation) =>
          (animation as CSSAnimation).animationName ??
          (animation as CSSTransition).transitionProperty,
      )
      .filter((name) => name !== "mu-spin"),
  );

for (const look of LOOKS) {
  test(`each story, ${named(look)}`, async ({ page }) => {
    test.setTimeout(240_000);
    const { scheme, forced, pictures, axe } = look;
    await page.emulateMedia({
      colorScheme: scheme,
      reducedMotion: "reduce",
      forcedColors: forced ? "active" : "none",
    });
    const findings: string[] = [];
    for (const story of await stories(page)) {
      const { name } = story;
      await open(page, name, look);
      const by = await overflowX(page);
      if (by > 0) findings.push(`${name}: scrolls sideways by ${by}`);
      for (const words of await cutOffTexts(page)) findings.push(`${name}: cut off: ${words}`);
      for (const target of await smallTargets(page)) findings.push(`${name}: too small: ${target}`);
      for (const what of await moving(page)) findings.push(`${name}: moves: ${what}`);
      if (axe) {
        const { violations } = await axeBuilder(page).withTags(WCAG).analyze();
        for (const { id, nodes } of violations) findings.push(`${name}: ${id}: ${nodes[0]?.html}`);
      }
      if (pictures === "all" || (pictures && story.forced)) await compare(page, story, look);
    }
    expect(findings).toEqual([]);
  });
}

async function compare(page: Page, { name, picture }: Listed, look: Look): Promise<void> {
  if (picture === "none") return;
  const file = `${name.replaceAll("/", "-")}-${named(look)}.png`;
  if (picture) return expect.soft(page.locator(picture)).toHaveScreenshot(file);
  const height = await page.evaluate(() => Math.ceil(document.body.scrollHeight));
  const clip = { x: 0, y: 0, width: look.width, height };
  await expect.soft(page).toHaveScreenshot(file, { clip, fullPage: true });
}

test("the overview shows each story in its frame, and changes all of them", async ({ page }) => {
  const listed = await stories(page);
  expect(listed.length).toBeGreaterThan(50);
  expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  await page.getByLabel("Language").selectOption("ar");
  const first = page.locator("iframe").first().contentFrame();
  await expect(first.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(first.locator("html[data-ready] .mu-button").first()).toBeVisible();
});

test("every component that hosts can import has a story", async () => {
  const folder = new URL("../../packages/react/", import.meta.url);
  const read = (path: string) => readFileSync(new URL(path, folder), "utf8");
  const source = ["kit", "consent", "around"]
    .map((name) => read(`gallery/stories/${name}.tsx`))
    .join();
  const subjects = ["ui", "consent", "markets", "comparison", "viewer", "flags"];
  const components = subjects.flatMap((subject) => {
    const values = read(`src/${subject}/index.ts`).replace(/type (\{[^}]*\}|\w+)/g, "");
    return values.match(/\b[A-Z]\w+/g) ?? [];
  });
  expect(components).toContain("TermsConsent");
  // `Feature` only decides whether its content is rendered, so it has no appearance.
  const unseen = components.filter((name) => name !== "Feature" && !source.includes(`<${name}`));
  expect(unseen).toEqual([]);
});
