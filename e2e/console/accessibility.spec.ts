import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import type { Musette } from "../setup/musette";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { prepareCampaigns } from "./campaigns-screens";
import { experimentScreens, withExperiments } from "./experiments-screens";
import { flagsScreens, prepareFlagsScreens } from "./flags-screens";
import { peopleScreens, preparePeople } from "./people-screens";
import type { Screen } from "./screen";
import { prepareTerms } from "./terms-screens";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A docked bar covers targets at the end of the window. In the middle, a target must be free. */
async function isCoveredAtCentre(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: "center" }));
  const { violations } = await axeBuilder(page).include(target).withRules("target-size").analyze();
  await page.evaluate(() => scrollTo(0, 0));
  return violations.length > 0;
}

async function axeErrors(page: Page, name: string): Promise<string[]> {
  const { violations } = await axeBuilder(page).withTags(WCAG).analyze();
  for (const violation of violations.filter(({ id }) => id === "target-size")) {
    const covered = [];
    for (const node of violation.nodes) {
      if (await isCoveredAtCentre(page, String(node.target[0]))) covered.push(node);
    }
    violation.nodes = covered;
  }
  const errors = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${name}: ${id} at ${node.target.join(" ")}: ${node.failureSummary}`),
  );
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return wider > 0 ? [...errors, `${name}: ${wider} pixels wider than the window`] : errors;
}

const looks = [
  { width: 360, locale: "ar", colorScheme: "dark" },
  { width: 360, locale: "en", colorScheme: "light" },
  { width: 1280, locale: "ar", colorScheme: "dark" },
  { width: 1280, locale: "en", colorScheme: "light" },
  // The longest texts.
  { width: 360, locale: "fr", colorScheme: "light" },
  { width: 360, locale: "pt", colorScheme: "dark" },
  { width: 360, locale: "es", colorScheme: "light" },
] as const;
type Look = (typeof looks)[number];

async function setUp(page: Page, { width, colorScheme }: Look): Promise<void> {
  test.setTimeout(240_000);
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
}

const speak = (page: Page, { locale }: Look) =>
  page.evaluate((tag) => localStorage.setItem("musette.language", tag), locale);

const named = ({ width, locale, colorScheme }: Look) =>
  `${width} pixels, ${locale}, ${colorScheme}`;

test.describe("the shell", () => {
  test.use({ store: "empty" });

  for (const look of looks) {
    test(`has no violations, ${named(look)}`, async ({ page, musette }) => {
      await setUp(page, look);
      await page.goto("/console/sign-in");
      const errors = [...(await axeErrors(page, "sign-in"))];
      await signInByLink(page, musette);
      await speak(page, look);
      await page.goto("/console/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText("ada-admin").last().waitFor();
      errors.push(...(await axeErrors(page, "overview")));
      await page.keyboard.press("Control+k");
      await page.getByRole("searchbox").waitFor();
      await page.locator("dialog[data-state=open]").waitFor();
      errors.push(...(await axeErrors(page, "palette")));
      expect(errors).toEqual([]);
    });
  }
});

/**
 * Every other page at both extremes: narrow, dark and right to left; wide, light and left to right;
 * and with long texts.
 */
const subjects: readonly {
  readonly name: string;
  readonly store: "empty" | "prepared";
  readonly prepare: (musette: Musette) => Promise<readonly Screen[]>;
}[] = [
  { name: "terms", store: "empty", prepare: prepareTerms },
  { name: "campaigns", store: "empty", prepare: prepareCampaigns },
  {
    name: "people, consents and settings",
    store: "prepared",
    async prepare(musette) {
      await preparePeople(musette);
      return peopleScreens;
    },
  },
  {
    name: "flags",
    store: "empty",
    async prepare(musette) {
      prepareFlagsScreens(musette);
      return flagsScreens;
    },
  },
  {
    name: "experiments and holdouts",
    store: "empty",
    async prepare(musette) {
      await withExperiments(musette);
      return experimentScreens;
    },
  },
];

for (const { name, store, prepare } of subjects) {
  test.describe(name, () => {
    test.use({ store });

    for (const look of [looks[0], looks[3], looks[4]]) {
      test(`has no violations, ${named(look)}`, async ({ page, musette, allow }) => {
        // Some screens request missing objects on purpose.
        allow(/status of 404/);
        await setUp(page, look);
        await signInByLink(page, musette);
        await speak(page, look);
        const errors: string[] = [];
        for (const screen of await prepare(musette)) {
          await page.goto(`/console/${screen.path}`);
          await screen.ready(page);
          errors.push(...(await axeErrors(page, screen.name)));
        }
        expect(errors).toEqual([]);
      });
    }
  });
}
