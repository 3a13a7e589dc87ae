import { overflowX, takePicture } from "../journeys/phones";
import { expect, test } from "../setup/test";
import { everyScreen, setLook } from "./every-screen";
import { cutOffTexts, pseudoLanguage } from "./pseudo";
import { smallTargets } from "./targets";

/** WCAG 2.2, 1.4.10: 1280 px at 400 %. */
const NARROW = { width: 320, height: 740 };
/** WCAG 2.2, 1.4.4 in its hardest case: a cheap phone with text twice as large. */
const LARGE_TEXT = { width: 360, height: 740 };

/** The other languages of the twelve, which take too long for CI. */
const OTHERS = process.env.MUSETTE_ALL_LANGUAGES
  ? ["es", "fr", "it", "pt", "pl", "tr", "bn", "ur"].map((locale) => ({ locale, longer: false }))
  : [];

test.use({ hasTouch: true });

for (const { locale, longer } of [
  ...OTHERS,
  { locale: "en", longer: false },
  { locale: "de", longer: false },
  { locale: "ar", longer: false },
  { locale: "th", longer: false },
  { locale: "de", longer: true },
  { locale: "ar", longer: true },
]) {
  const name = longer ? `texts 40 % longer than ${locale}` : locale;
  test(`${name}: each screen at 320 px${longer ? "" : ", and at 360 px with text at 200 %"}`, async ({
    page,
    musette,
    allow,
  }) => {
    test.setTimeout(120_000);
    allow(/status of (401|503)/);
    await page.setViewportSize(NARROW);
    await setLook(page, { locale, dark: false });
    if (longer) await pseudoLanguage(page, locale);
    const findings = new Set<string>();
    const overflow = async (where: string) => {
      const by = await overflowX(page);
      if (by > 0) findings.add(`${where}: scrolls sideways by ${by}`);
      for (const words of await cutOffTexts(page)) findings.add(`${where}: cut off: ${words}`);
      await takePicture(page, `${locale}${longer ? "-longer" : ""}-${where.replaceAll(" ", "-")}`);
    };
    const textSize = (size: string) =>
      page.evaluate((value) => {
        document.documentElement.style.fontSize = value;
      }, size);
    await everyScreen(page, musette, async (screen) => {
      await overflow(`${screen} 320`);
      if (longer) return;
      for (const target of await smallTargets(page))
        findings.add(`${screen}: too small: ${target}`);
      await page.setViewportSize(LARGE_TEXT);
      await textSize("200%");
      await overflow(`${screen} 200%`);
      await textSize("");
      await page.setViewportSize(NARROW);
    });
    if (longer) await expect(page.locator("h1")).toContainText("⟦");
    expect([...findings]).toEqual([]);
  });
}

test("a person can agree on a small phone with text at 200 %", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/apply");
  await page.locator("[data-term='4']").waitFor();
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  await page.locator("[data-term='4'] input").click();
  await expect(page.locator("[data-term='4'] input")).toBeChecked();
  await expect(page.locator(".mu-consent-footer button")).toBeInViewport();
});

test("no bar stays over the page in a low window", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  for (const [address, waitFor] of [
    ["/apply", "[data-term='4']"],
    ["/agreements", "main .mu-button"],
  ] as const) {
    await page.goto(address);
    await page.locator(waitFor).first().waitFor();
    const bars = await page.evaluate(() =>
      [...document.querySelectorAll("body *")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 1)
        .filter((one) => /sticky|fixed/.test(getComputedStyle(one).position))
        .map((one) => one.className),
    );
    expect(bars).toEqual([]);
    expect(await overflowX(page)).toBe(0);
  }
});
