import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { prepared } from "../setup/prepare";
import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";
import { submitConsent } from "./agreeing";
import { callAs } from "./campaigns-screens";
import { experimentScreens, withExperiments } from "./experiments-screens";
import { flagsScreens, prepareFlagsScreens } from "./flags-screens";
import type { Screen } from "./screen";
import { prepareTerms } from "./terms-screens";

// The pictures of docs/console.md. They are only made here: UPDATE_SCREENSHOTS=1 writes them, and
// each run checks that their pages can still be reached.

const GUIDE = new URL("../../docs/console.md", import.meta.url).pathname;
const IMAGES = new URL("../../docs/images/", import.meta.url).pathname;
const isWriting = process.env.UPDATE_SCREENSHOTS !== undefined;

interface Picture {
  readonly store: "empty" | "prepared";
  readonly prepare: (musette: Musette) => Promise<readonly Screen[]> | readonly Screen[];
  /** The name of one of the screens. */
  readonly screen: string;
  readonly width?: number;
}

const flags = (musette: Musette) => {
  prepareFlagsScreens(musette);
  return flagsScreens;
};

const experiments = async (musette: Musette) => {
  await withExperiments(musette);
  return experimentScreens;
};

/** A receipt that was verified from the list of decisions. */
async function receipt(musette: Musette): Promise<readonly Screen[]> {
  await submitConsent(musette, "demo-rider-1");
  return [
    {
      name: "receipt",
      path: "consents",
      async ready(page) {
        await page.getByRole("link", { name: "Receipt", exact: true }).first().click();
        await page.locator("[aria-labelledby=verdict-title]").waitFor();
      },
    },
  ];
}

/** A draft that two people change at the same time. */
async function conflict(musette: Musette): Promise<readonly Screen[]> {
  const drafts = "/api/admin/v1/term-drafts";
  const { id } = await callAs<{ id: string }>(musette, "ada-admin", drafts, {
    type: "FREELANCER",
    mandatory: true,
    minor: false,
    variants: [{ locale: "en", title: "Rider handbook" }],
  });
  const address = `${drafts}/${id}`;
  return [
    {
      name: "conflict",
      path: `terms/drafts/${id}`,
      async ready(page) {
        const type = page.getByLabel("Type", { exact: true });
        await expect(type).toHaveValue("FREELANCER");
        const { revision, ...draft } = await callAs<{ revision: number }>(
          musette,
          "ada-admin",
          address,
        );
        const theirs = await fetch(musette.url + address, {
          method: "PUT",
          headers: {
            Authorization: `Bearer ${musette.tokens("ada-admin", 900).dhhToken}`,
            "Content-Type": "application/json",
            "If-Match": `"${revision}"`,
          },
          body: JSON.stringify({ ...draft, type: "COURIER", mandatory: false }),
        });
        expect(theirs.status).toBe(200);
        await type.fill("SHOPPER");
        await page.getByRole("dialog", { name: "Resolve conflicts" }).waitFor();
      },
    },
  ];
}

/** A rider who has accepted one of two required documents and declined an optional one. */
function person(musette: Musette): readonly Screen[] {
  const publish = (title: string, type: string, ...more: readonly string[]) =>
    musette.publish(join(prepared, "marketing.pdf"), type, title, ...more);
  publish("Freelancer agreement", "FREELANCER", "--mandatory");
  publish("Privacy notice", "FREELANCER", "--mandatory");
  publish("Marketing messages", "MARKETING");
  musette.addRider("rider-1", "Ottilie Fernwick", "ottilie@larkspur.example");
  musette.importConsents([
    ["rider-1", 1, true, "en"],
    ["rider-1", 3, false, "en"],
  ]);
  return [
    {
      name: "person",
      path: "people/rider-1",
      ready: (page) => page.locator("tbody tr[data-index]").first().waitFor(),
    },
  ];
}

const pictures: Readonly<Record<string, Picture>> = {
  "console-terms-draft": { store: "empty", prepare: prepareTerms, screen: "draft" },
  "console-terms-conflict-360": {
    store: "empty",
    prepare: conflict,
    screen: "conflict",
    width: 360,
  },
  "console-person-1280": { store: "empty", prepare: person, screen: "person" },
  "console-receipt-1280": { store: "prepared", prepare: receipt, screen: "receipt" },
  "console-flags-editor": { store: "empty", prepare: flags, screen: "flag" },
  "console-flags-review": { store: "empty", prepare: flags, screen: "review" },
  "console-experiment": { store: "empty", prepare: experiments, screen: "experiment" },
  "console-experiment-unreadable": {
    store: "empty",
    prepare: experiments,
    screen: "experiment that cannot be read",
  },
};

test("makes every picture of the guide", () => {
  const shown = readFileSync(GUIDE, "utf8").matchAll(/images\/([\w-]+)\.png/g);
  expect([...shown].map(([, name]) => name).sort()).toEqual(Object.keys(pictures).sort());
});

async function open(page: Page, musette: Musette, { prepare, screen }: Picture): Promise<void> {
  const screens = await prepare(musette);
  const pictured = screens.find(({ name }) => name === screen);
  if (!pictured) throw new Error(`There is no screen “${screen}”.`);
  await page.goto(`/console/${pictured.path}`);
  await pictured.ready(page);
  await page.evaluate(() => scrollTo(0, 0));
}

for (const [name, picture] of Object.entries(pictures)) {
  const { store, width = 1280 } = picture;
  test.describe(name, () => {
    test.use({
      store,
      viewport: { width, height: width === 1280 ? 800 : 740 },
      deviceScaleFactor: width === 1280 ? 1 : 1.5,
    });

    test("can be made", async ({ page, musette, allow }) => {
      test.setTimeout(300_000);
      // The conflict of two people.
      allow(/status of 412/);
      await signInByLink(page, musette);
      await open(page, musette, picture);
      if (isWriting) await page.screenshot({ path: `${IMAGES}${name}.png` });
      else expect((await page.screenshot()).length).toBeGreaterThan(10_000);
    });
  });
}
