import type { Page } from "@playwright/test";
import type { Musette } from "../setup/musette";
import { submitConsent } from "./agreeing";
import type { Screen } from "./screen";

const row = (page: Page) => page.locator("tbody tr[data-index]").first().waitFor();
const shown = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();

/** Screens that need the prepared database and `preparePeople`. */
export const peopleScreens: readonly Screen[] = [
  { name: "people", path: "people", ready: row },
  { name: "people, nobody found", path: "people?q=zebulon", ready: shown(".card.calm") },
  {
    name: "a new person",
    path: "people",
    async ready(page) {
      await page.locator("main .mu-button").nth(1).click();
      await page.locator("dialog[data-state=open] form").waitFor();
    },
  },
  { name: "a person's terms", path: "people/demo-rider-1", ready: row },
  { name: "a person's consents", path: "people/demo-rider-1/consents", ready: row },
  {
    name: "a person's sessions",
    path: "people/demo-rider-1/sessions",
    ready: shown("main ul.card > li"),
  },
  {
    name: "a person's flags",
    path: 'people/demo-rider-1/flags?with={"town":"Merrow"}',
    async ready(page) {
      await page.locator("main li details summary").first().click();
      await page.locator("main li details[open] li").first().waitFor();
    },
  },
  { name: "a person's audit", path: "people/ada-admin/audit", ready: row },
  {
    name: "a person's account",
    path: "people/demo-rider-1/account",
    ready: shown("[data-part=erasure]"),
  },
  {
    name: "an erasure",
    path: "people/demo-rider-1/account",
    async ready(page) {
      await page.locator("[data-part=erasure] button").click();
      await page.locator("dialog[data-state=open] form").waitFor();
    },
  },
  { name: "consents", path: "consents", ready: row },
  { name: "verification", path: "consents/verify", ready: shown("main textarea") },
  {
    name: "a verdict",
    path: "consents/verify",
    async ready(page) {
      await page.locator("main textarea").fill("Dear Sir or Madam");
      await page.locator("main form button").click();
      await page.locator("[aria-labelledby=verdict-title]").waitFor();
    },
  },
  { name: "log", path: "consents/log", ready: shown("pre") },
  { name: "audit", path: "audit", ready: row },
  { name: "keys", path: "settings/keys", ready: row },
  {
    name: "a new key",
    path: "settings/keys",
    async ready(page) {
      await page.locator("main .mu-button").first().click();
      await page.locator("dialog[data-state=open] form").waitFor();
    },
  },
  { name: "users", path: "settings/users", ready: row },
  { name: "service keys", path: "settings/service-keys", ready: shown(".card.calm, tbody tr") },
  { name: "webhooks", path: "settings/webhooks", ready: shown(".card.calm") },
  {
    name: "a new webhook",
    path: "settings/webhooks",
    async ready(page) {
      await page.locator("main .mu-button").first().click();
      await page.locator("dialog[data-state=open] form").waitFor();
    },
  },
  { name: "markets", path: "settings/markets", ready: shown(".card.calm, tbody tr") },
  { name: "environments", path: "settings/environments", ready: shown("main ul.card > li") },
  { name: "sign-in and codes", path: "settings/sign-in", ready: shown("main section.card") },
  { name: "about", path: "settings/about", ready: shown("main section.card") },
];

/** Creates a person with decisions and a session, flags, and a key. */
export async function preparePeople(musette: Musette): Promise<void> {
  await submitConsent(musette, "demo-rider-1");
  musette.importFlags(onlyFlag);
  musette.createFlagKey();
}

const onlyFlag = {
  schema: "musette.flags/1",
  environment: "production",
  version: 1,
  attributes: [{ name: "town", type: "string" }],
  segments: [],
  layers: [],
  holdouts: [],
  flags: [
    {
      key: "quest-cards",
      type: "boolean",
      on: true,
      salt: "quest-cards",
      tags: [],
      owner: "rider-app",
      clientVisible: true,
      archived: false,
      variations: [
        { key: "on", value: true },
        { key: "off", value: false },
      ],
      offVariation: "off",
      defaultVariation: "off",
      baselineVariation: "off",
      prerequisites: [],
      overrides: [],
      rules: [
        {
          id: "merrow",
          when: { all: [{ attr: "town", op: "eq", value: "Merrow" }] },
          serve: { variation: "on" },
        },
      ],
    },
  ],
};
