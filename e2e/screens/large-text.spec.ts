import type { Page } from "@playwright/test";
import { apply, overflowX, takePicture } from "../journeys/phones";
import { expect, test } from "../setup/test";
import { setLook } from "./every-screen";

const LANGUAGES = ["en", "de", "es", "fr", "it", "pt", "pl", "tr", "ar", "th", "bn", "ur"];

/** Returns the labels of the bottom bar that have a line break inside a word. */
const brokenLabels = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    for (const label of document.querySelectorAll(".nav-bottom span")) {
      const text = label.firstChild;
      const words = [...(text?.textContent ?? "").matchAll(/[^\s-]+/g)];
      for (const { 0: word, index } of words) {
        const range = document.createRange();
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        // Thai is written without spaces between words.
        if (lines.size > 1 && document.documentElement.lang !== "th") broken.push(word);
      }
    }
    return broken;
  });

/** Returns whether the name of the selected language is cut off. */
const isLanguageCut = (page: Page) =>
  page.evaluate(() => {
    const select = document.querySelector<HTMLSelectElement>(".language-switch select");
    if (!select) return true;
    const width = select.offsetWidth;
    select.style.maxInlineSize = "none";
    const isCut = select.offsetWidth > width;
    select.style.maxInlineSize = "";
    return isCut;
  });

for (const store of ["prepared", "empty"] as const) {
  test.describe(`a server with a store that is ${store}`, () => {
    test.use({ store });
    for (const locale of LANGUAGES) {
      test(`the start page at 360 px with text at 200 %: ${locale}`, async ({ page, allow }) => {
        // The address of the demonstration, on a real server.
        allow(/status of 404/);
        await page.setViewportSize({ width: 360, height: 720 });
        await setLook(page, { locale, dark: false });
        if (store === "prepared") await apply(page);
        await page.goto("/");
        await page.locator(".door").first().waitFor();
        await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
        expect.soft(await overflowX(page), "overflow").toBe(0);
        expect.soft(await brokenLabels(page), "broken words").toEqual([]);
        if (["de", "fr", "ar"].includes(locale))
          await takePicture(page, `large-text-${store}-${locale}`);
        expect.soft(await isLanguageCut(page), "the language is cut off").toBe(false);
      });
    }
  });
}
