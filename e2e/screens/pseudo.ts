import type { Page } from "@playwright/test";

/**
 * Makes a language longer than any real one. It fetches the language's files, and makes every text
 * in them about 40 % longer and accented. Overflowing and untranslated texts become visible.
 */
export async function pseudoLanguage(page: Page, tag: string): Promise<void> {
  await page.route(`**/assets/${tag}-*.js`, async (route) => {
    const real = await (await route.fetch()).text();
    const names = [...real.matchAll(/export\s*\{([^}]*)\}/g)]
      .flatMap(([, list = ""]) => list.split(","))
      .map((one) => one.split(" as ").at(-1)?.trim());
    const body = [
      `import * as real from ${JSON.stringify(`${route.request().url()}?real`)};`,
      `const pseudo = ${String(pseudo)};`,
      ...names.map((name) => `export const ${name} = pseudo(real.${name});`),
    ];
    await route.fulfill({ body: body.join("\n"), contentType: "text/javascript" });
  });
}

/**
 * Returns texts that are cut off at the side of the screen, or are outside the element that
 * contains them.
 */
export const cutOffTexts = (page: Page) =>
  page.evaluate(() => {
    const open = document.querySelector("dialog[open]") ?? document.body;
    const texts = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
    const cut = new Set<string>();
    while (texts.nextNode()) {
      const { parentElement: element, textContent: words } = texts.currentNode;
      // Exempt: text for screen readers, text over the picture of a page, and tables of a document,
      // which scroll by themselves (WCAG 1.4.10).
      if (
        !element ||
        !words?.trim() ||
        element.closest(".mu-hidden, .skip, .mu-viewer-page, .mu-viewer-table, option")
      )
        continue;
      if (!element.checkVisibility()) continue;
      const box = (
        element.closest("button, a, li, label, p, h1, h2") ?? element
      ).getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { left, right } = range.getBoundingClientRect();
      if (left < box.left - 1 || right > box.right + 1 || left < -1 || right > innerWidth + 1) {
        cut.add(words.trim());
      }
    }
    return [...cut];
  });

/** Runs in the page, so it must not use anything from outside. */
function pseudo(value: unknown, key = ""): unknown {
  const accents: Record<string, string> = { a: "áá", e: "éé", i: "íí", o: "óó", u: "úú" };
  const longer = (text: string) =>
    /[a-z]/i.test(text)
      ? `⟦${text.replace(/[aeiou]/g, (vowel) => accents[vowel] ?? vowel)}⟧`
      : `⟦${text} ${text.slice(0, text.length * 0.4)}⟧`;
  if (key === "lang" || key === "dir") return value;
  if (typeof value === "string") return value.trim() ? longer(value) : value;
  if (typeof value === "function") return (...given: unknown[]) => longer(value(...given));
  if (Array.isArray(value)) return value.map((one) => pseudo(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pseudo(one, name)]));
}
