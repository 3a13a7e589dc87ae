import { expect, test } from "../setup/test";
import { signInByLink } from "./admin";

test.use({ viewport: { width: 1280, height: 800 } });

const variations = [
  { key: "on", value: true },
  { key: "off", value: false },
];

const flag = (key: string, more: object) => ({
  key,
  type: "boolean",
  on: true,
  salt: key,
  tags: [],
  owner: "rider-app",
  clientVisible: true,
  archived: false,
  variations,
  offVariation: "off",
  defaultVariation: "off",
  baselineVariation: "off",
  prerequisites: [],
  overrides: [],
  rules: [],
  ...more,
});

const document = {
  schema: "musette.flags/1",
  environment: "production",
  version: 1,
  attributes: [{ name: "town", type: "string" }],
  segments: [],
  layers: [],
  holdouts: [],
  flags: [
    flag("quest-cards", {
      rules: [
        {
          id: "merrow",
          when: { all: [{ attr: "town", op: "eq", value: "Merrow" }] },
          serve: { variation: "on" },
        },
      ],
    }),
    flag("start-tip", { on: false }),
  ],
};

test("shows what a person gets, with the reason, and with other attributes", async ({
  page,
  musette,
}) => {
  musette.importFlags(document);
  await signInByLink(page, musette);
  await page.goto("/console/people/demo-rider-1/flags");
  const flag = page.getByRole("listitem").filter({ hasText: "quest-cards" });
  await expect(flag).toContainText("No rule matched: default variation");
  await expect(page.getByRole("listitem").filter({ hasText: "start-tip" })).toContainText(
    "Flag is off",
  );
  await flag.getByText("quest-cards").click();
  await expect(flag).toContainText('town is "Merrow" Does not match · Not set');

  await page.getByText("Attributes", { exact: true }).click();
  await page.getByLabel("Attribute").fill("town");
  await page.getByLabel("Value").fill("Merrow");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(flag).toContainText("Rule merrow");
  await expect(page).toHaveURL(/with=/);
  await page.getByLabel("Find a flag").fill("start");
  await expect(page.getByText("1 of 2 flags")).toBeVisible();
  await page.reload();
  await expect(page.getByText("1 of 2 flags")).toBeVisible();
});
