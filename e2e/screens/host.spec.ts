import { overflowX, takePicture } from "../journeys/phones";
import { axeBuilder } from "../setup/axe";
import { expect, test } from "../setup/test";

// The colours of our components in a host's page.
const DARK = "rgb(17, 24, 39)";
const LIGHT = "rgb(255, 255, 255)";

for (const [scheme, colour] of [
  ["", LIGHT],
  ["light dark", DARK],
] as const) {
  test(`on a dark device a host's page with color-scheme "${scheme}"`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 320, height: 720 });
    for (const locale of ["en", "ar"]) {
      await page.goto(`/stage/?header&locale=${locale}&scheme=${scheme}`);
      await page.locator("[data-term='4']").waitFor();
      await expect(page.locator(".mu-consent")).toHaveCSS("background-color", colour);
      const { violations } = await axeBuilder(page).include(".mu-consent").analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      expect(await overflowX(page)).toBe(0);
      if (scheme) await takePicture(page, "host");
      await page.emulateMedia({ colorScheme: "dark" });
    }
  });
}
