import { AGREEMENT, consentScreen, HANDBOOK, SCAN } from "../consent/screen";
import { expect, test } from "../setup/test";
import { PICTURES, pictureWidth, viewer, waitForFrames } from "./parts";

test.use({ hasTouch: true });

test("begins with the text; a person who chooses the pages gets them from then on", async ({
  page,
}) => {
  await page.goto("/stage/");
  const { open } = consentScreen(page);
  const { dialog, button, pages } = viewer(page);
  const text = dialog.locator(".mu-viewer-reading");
  await open(HANDBOOK).tap();
  await expect(text).toBeVisible();
  await expect(dialog.getByText("What counts is the document as its pages")).toBeInViewport();
  await expect(pages).toHaveCount(0);
  await dialog.locator("footer").getByRole("button", { name: "Page view" }).tap();
  await expect(pages).toHaveCount(30);
  await button("Close").tap();
  await page.reload();
  await open(AGREEMENT).tap();
  await expect(pages.first()).toBeVisible();
  await expect(text).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Small print? Read it as text" })).toHaveCount(0);
  await button("Reading view").tap();
  await expect(text).toBeVisible();
  await button("Close").tap();
  await open(SCAN).tap();
  // A scan has no text to read, so it opens as pages, whatever was chosen for another document.
  await expect(pages.first()).toBeVisible();
  await expect(text).toHaveCount(0);
  await button("Close").tap();
  await open(HANDBOOK).tap();
  await expect(text).toBeVisible();
});

test("a scan begins with its page", async ({ page }) => {
  await page.goto("/stage/");
  await consentScreen(page).open(SCAN).tap();
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
});

test("the text counts as opened, as far as it was visible", async ({ page }) => {
  const submission = page.waitForRequest("**/terms/consents");
  await page.goto("/stage/");
  const { accept, all, open } = consentScreen(page);
  // Pictures that never arrive: only the text of this document is visible.
  await page.route(PICTURES, () => undefined);
  await open(HANDBOOK).tap();
  const { dialog, surface } = viewer(page);
  await expect(surface.getByText("Section 1, rule 1").first()).toBeVisible();
  await waitForFrames(page);
  await surface.getByText("Section 7, rule 1").first().scrollIntoViewIfNeeded();
  await expect(dialog.getByText(/^Page 7 of 30$/)).toBeVisible();
  await waitForFrames(page);
  await page.keyboard.press("Escape");
  await all.tap();
  await accept.tap();
  const { consents } = (await submission).postDataJSON();
  expect(consents[1]).toMatchObject({ opened: true, last_page: 7 });
  expect(consents[0].opened).toBe(false);
});

test("a text that did not load was not opened", async ({ page, allow }) => {
  allow(/status of 503/);
  await page.route(/\/reading\.json$/, (route) => route.fulfill({ status: 503, body: "" }));
  const submission = page.waitForRequest("**/terms/consents");
  await page.goto("/stage/");
  const { accept, all, open } = consentScreen(page);
  await open(HANDBOOK).tap();
  const { dialog, button } = viewer(page);
  await expect(dialog.getByRole("alert")).toContainText("could not be loaded");
  // The pages are still one tap away.
  await expect(button("Page view")).toBeVisible();
  await waitForFrames(page);
  await page.keyboard.press("Escape");
  await all.tap();
  await accept.tap();
  const { consents } = (await submission).postDataJSON();
  expect(consents[1].opened).toBe(false);
});

test("reads aloud from the visible text on, and scrolls along", async ({ page }) => {
  await page.addInitScript(() => {
    const spokenTexts: string[] = [];
    Object.assign(window, { spokenTexts });
    // Simulates a machine without a voice: records what it would say, and when it has finished.
    const speak = (words: SpeechSynthesisUtterance) => {
      spokenTexts.push(`${words.lang}: ${words.text}`);
      setTimeout(() => words.onend?.({} as SpeechSynthesisEvent), 30);
    };
    Object.assign(speechSynthesis, { speak, cancel: () => undefined });
  });
  const spoken = () =>
    page.evaluate(() => (window as unknown as { spokenTexts: string[] }).spokenTexts);
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).tap();
  const { dialog, button, surface } = viewer(page);
  await surface
    .getByText("Section 3, rule 1")
    .first()
    .evaluate((element) => element.scrollIntoView());
  await button("Read aloud").tap();
  await expect.poll(async () => (await spoken())[0]).toMatch(/^en: .*Section 3, rule 1/);
  await expect.poll(async () => (await spoken()).length).toBeGreaterThan(5);
  await expect(dialog.locator("[data-spoken]")).toHaveCount(1);
  await expect(dialog.locator("[data-spoken]")).toBeInViewport();
  await button("Stop reading").tap();
  await expect(dialog.locator("[data-spoken]")).toHaveCount(0);
  const count = (await spoken()).length;
  await waitForFrames(page);
  expect((await spoken()).length).toBe(count);
});

test("has search, settings and a button for the pages, and says what counts", async ({ page }) => {
  const submission = page.waitForRequest("**/terms/consents");
  await page.goto("/stage/");
  const { accept, all, open } = consentScreen(page);
  await open(HANDBOOK).click();
  const { dialog, button, surface, pages } = viewer(page);
  await expect(surface.getByText("Section 1, rule 1").first()).toBeVisible();
  const note = dialog.getByText("What counts is the document as its pages show it.");
  await expect(note).toBeInViewport({ ratio: 1 });
  const [tools, says] = [dialog.locator(".mu-viewer-tools"), note];
  const [above, below] = [await tools.boundingBox(), await says.boundingBox()];
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  await button("Search in the document").click();
  await dialog.getByRole("searchbox").fill("section 20, RULE 1");
  await expect(dialog.getByText(/^1 of \d+$/)).toBeVisible();
  await expect(surface.getByText("Section 20, rule 1").first()).toBeInViewport();
  await button("Text settings").click();
  await dialog.getByRole("radio", { name: "Dark" }).check();
  await expect(dialog.locator(".mu-viewer-reading")).toHaveCSS("color-scheme", "dark");
  await button("Search in the document").click();
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("searchbox")).toHaveCount(0);
  // The position is kept when it is closed and opened again.
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await open(HANDBOOK).click();
  await expect(surface.getByText("Section 20, rule 1").first()).toBeInViewport();
  await waitForFrames(page);
  await dialog.locator("footer").getByRole("button", { name: "Page view" }).click();
  await expect(pages).toHaveCount(30);
  await page.keyboard.press("Escape");
  await all.click();
  await accept.click();
  const { consents } = (await submission).postDataJSON();
  expect(consents[1]).toMatchObject({ opened: true });
});

test("the text of a real document has its lists, tables and pictures", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/stage/");
  await consentScreen(page).open(AGREEMENT).click();
  const { surface } = viewer(page);
  const table = surface.getByRole("group", { name: "Table" }).first();
  await expect(table.getByRole("row").nth(1)).toBeAttached();
  await expect(surface.getByRole("listitem").first()).toBeAttached();
  const picture = surface.getByRole("img").first();
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  // Exactly the figure, wherever it is on the page.
  const shapes = await surface.locator(".mu-viewer-cut").evaluateAll((cuts) =>
    cuts.map((cut) => {
      const part = (name: string) => Number(getComputedStyle(cut).getPropertyValue(name));
      return (cut.clientWidth / cut.clientHeight) * (part("--h") / part("--w"));
    }),
  );
  for (const shape of shapes) expect(shape).toBeCloseTo(1, 1);
  const wide = await surface.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(wide).toBe(0);
});

test("keeps the chosen text size, which enlarges pictures too", async ({ page }) => {
  await page.goto("/stage/");
  const { open } = consentScreen(page);
  await open(AGREEMENT).click();
  const { button, surface, dialog } = viewer(page);
  const cut = dialog.locator(".mu-viewer-cut").first();
  const width = async () => Math.round((await cut.boundingBox())?.width ?? 0);
  await expect(cut).toBeAttached();
  const before = await width();
  await button("Larger text").click();
  await expect.poll(width).toBeGreaterThan(before);
  await page.keyboard.press("Escape");
  await open(AGREEMENT).click();
  await expect(button("150%")).toBeVisible();
  const wide = await surface.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(wide).toBe(0);
});
