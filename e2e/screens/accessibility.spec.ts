import type { Page } from "@playwright/test";
import { axeBuilder } from "../setup/axe";
import { expect, test } from "../setup/test";
import { everyScreen, setLook } from "./every-screen";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function axeErrors(page: Page, name: string): Promise<string[]> {
  const { violations } = await axeBuilder(page).withTags(WCAG).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${name}: ${id} at ${node.target.join(" ")}: ${node.failureSummary}`),
  );
}

for (const locale of ["en", "ar"] as const) {
  for (const dark of [false, true]) {
    test(`has no violations on any screen, ${locale}, ${dark ? "dark" : "light"}`, async ({
      page,
      musette,
      allow,
    }) => {
      test.setTimeout(90_000);
      allow(/status of (401|503)/);
      await setLook(page, { locale, dark });
      const errors: string[] = [];
      await everyScreen(page, musette, async (name) => {
        errors.push(...(await axeErrors(page, name)));
      });
      expect(errors).toEqual([]);
    });
  }
}

for (const kind of ["drawer", "modal"]) {
  test(`has no violations in the kit with an open ${kind}`, async ({ page }) => {
    await page.goto("/stage/?scene=kit");
    expect(await axeErrors(page, "kit")).toEqual([]);
    await page.getByRole("button", { name: `Open ${kind}` }).click();
    await page.locator("dialog[data-state=open]").waitFor();
    expect(await axeErrors(page, kind)).toEqual([]);
  });
}
