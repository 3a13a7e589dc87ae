import { AGREEMENT, consentScreen, HANDBOOK, MARKETING, SCAN } from "../consent/screen";
import { takePicture } from "../journeys/phones";
import { expect, test } from "../setup/test";
import { PICTURES, pictureWidth, viewer, waitForFrames } from "./parts";

test("from a term's row: only that document, with selectable text over the pages", async ({
  page,
}) => {
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  const { dialog, button, pages } = viewer(page);
  await expect(dialog.getByRole("heading")).toHaveText(HANDBOOK);
  await expect(pages).toHaveCount(30);
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
  await expect(button("Next document")).toHaveCount(0);
  // For selection and for screen readers.
  await expect(dialog.getByText("Section 1, rule 1: a rider keeps to the left.")).toBeAttached();
  await expect(dialog.getByRole("group", { name: "Page 2 of 30" })).toBeAttached();
});

test("from the first row: all documents, with next and previous", async ({ page }) => {
  await page.goto("/stage/");
  await page.getByRole("button", { name: "Open all documents" }).click();
  const { dialog, button } = viewer(page);
  await expect(dialog.getByText("1 of 4")).toBeVisible();
  await expect(button("Previous document")).toBeDisabled();
  for (const [index, title] of [HANDBOOK, SCAN, MARKETING].entries()) {
    await button("Next document").click();
    await expect(dialog.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(dialog.getByText(`${index + 2} of 4`)).toBeVisible();
  }
  await expect(button("Next document")).toBeDisabled();
  await button("Previous document").click();
  await expect(dialog.getByRole("heading", { level: 1 })).toHaveText(SCAN);
});

for (const way of ["Escape", "Close", "back"] as const) {
  test(`${way} closes it, and the focus returns to the icon`, async ({ page }) => {
    await page.goto("/stage/");
    const { open, box } = consentScreen(page);
    await box(AGREEMENT).click();
    await open(MARKETING).click();
    const { dialog, button, pages } = viewer(page);
    await expect(pages).toHaveCount(2);
    if (way === "Escape") await page.keyboard.press("Escape");
    else if (way === "Close") await button("Close").click();
    else await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(open(MARKETING)).toBeFocused();
    await expect(page).toHaveURL(/\/stage\/$/);
    await expect(box(AGREEMENT)).toBeChecked();
  });
}

test("zooms by button, by key and by wheel, between 100 and 400 %", async ({ page }) => {
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  const { button, picture, surface } = viewer(page);
  const width = async () => Math.round((await picture.boundingBox())?.width ?? 0);
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
  const fitting = await width();
  await expect(button("Zoom out")).toBeDisabled();
  await button("Zoom in").click();
  await expect.poll(width).toBe(Math.round(fitting * 1.5));
  await page.keyboard.press("+");
  await expect(button("200%")).toBeVisible();
  for (const percent of ["300%", "400%"]) {
    await button("Zoom in").click();
    await expect(button(percent)).toBeVisible();
  }
  await expect(button("Zoom in")).toBeDisabled();
  // The sharper picture is loaded when it is needed.
  const source = () => picture.evaluate((element) => (element as HTMLImageElement).currentSrc);
  await expect.poll(source).toContain("@2x");
  await page.keyboard.press("0");
  await expect.poll(width).toBe(fitting);
  await surface.hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await expect.poll(width).toBeGreaterThan(fitting);
  // Zooming never makes the page itself wider than the window.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("the keys scroll, and the page number follows", async ({ page }) => {
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  const { dialog, pages } = viewer(page);
  await expect(pages).toHaveCount(30);
  await page.keyboard.press("End");
  await expect(dialog.getByText("Page 30 of 30")).toBeVisible();
  await page.keyboard.press("Home");
  await expect(dialog.getByText("Page 1 of 30")).toBeVisible();
});

test("removes pictures far from the current page, and loads them again", async ({ page }) => {
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  const { dialog, pages, surface } = viewer(page);
  const pictures = dialog.locator("[data-page] img[src]");
  await expect(pages).toHaveCount(30);
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
  for (const number of [10, 20, 30]) {
    await dialog.locator(`[data-page='${number}']`).scrollIntoViewIfNeeded();
    const picture = dialog.locator(`[data-page='${number}'] img`);
    await expect
      .poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    await expect.poll(() => pictures.count()).toBeLessThanOrEqual(9);
    await expect.poll(() => pictureWidth(page)).toBe(0);
  }
  await surface.press("Home");
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
});

test("the decision contains how far the person read", async ({ page }) => {
  const submission = page.waitForRequest("**/terms/consents");
  await page.goto("/stage/");
  const { accept, all, open } = consentScreen(page);
  await open(HANDBOOK).click();
  const { dialog, pages } = viewer(page);
  await expect(pages).toHaveCount(30);
  await page.keyboard.press("End");
  await expect(dialog.getByText("Page 30 of 30")).toBeVisible();
  const last = dialog.locator("[data-page='30'] img");
  await expect
    .poll(() => last.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeTruthy();
  await waitForFrames(page);
  await page.keyboard.press("Escape");
  await all.click();
  await accept.click();
  const { consents } = (await submission).postDataJSON();
  expect(consents[1]).toMatchObject({ opened: true, last_page: 30, method: "agree_all" });
  expect(consents[0]).toMatchObject({ opened: false });
});

// During an upgrade, a server of the former version serves documents of this one.
test("pictures are WebP, and are shown even if a server calls them PNG", async ({ page }) => {
  const types: (string | undefined)[] = [];
  await page.route(PICTURES, async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    types.push(headers["content-type"]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    await route.fulfill({ response, headers: { ...headers, "content-type": "image/png" } });
  });
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
  expect(types[0]).toBe("image/webp");
  await takePicture(page, "page");
});

for (const { what, parts, role, says, link } of [
  {
    what: "manifest",
    parts: /manifest\.json$/,
    role: "alert",
    says: "This document could not be loaded.",
    link: "Download",
  },
  {
    what: "picture",
    parts: PICTURES,
    role: "status",
    says: "Page 1 could not be loaded.",
    link: "Original PDF",
  },
] as const) {
  test(`a document whose ${what} fails was not opened, even when it was downloaded`, async ({
    page,
    allow,
  }) => {
    allow(/status of 503/);
    await page.route(parts, (route) => route.fulfill({ status: 503, body: "" }));
    const submission = page.waitForRequest("**/terms/consents");
    await page.goto("/stage/");
    const { accept, all, open } = consentScreen(page);
    await open(HANDBOOK).click();
    const { dialog } = viewer(page);
    await expect(dialog.getByRole(role).first()).toContainText(says);
    const download = page.waitForEvent("download");
    await dialog.getByRole("link", { name: link }).click();
    await download;
    await page.keyboard.press("Escape");
    await all.click();
    await accept.click();
    const { consents } = (await submission).postDataJSON();
    expect(consents[1].opened).toBe(false);
    expect(consents[1].last_page).toBeUndefined();
  });
}

test("the reading view shows the text in the reader's own size", async ({ page }) => {
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  const { button, surface } = viewer(page);
  await button("Reading view").click();
  const words = surface.getByText("Section 1, rule 1").first();
  await expect(words).toBeVisible();
  const size = () => words.evaluate((word) => Number.parseFloat(getComputedStyle(word).fontSize));
  const before = await size();
  expect(before).toBeGreaterThanOrEqual(16);
  await button("Larger text").click();
  await expect.poll(size).toBeGreaterThan(before);
  const wide = await surface.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(wide).toBe(0);
  await surface.getByRole("button", { name: "Page view" }).click();
  await expect(viewer(page).pages).toHaveCount(30);
});

test("a scan has pages, and says that it has no text", async ({ page }) => {
  await page.goto("/stage/");
  await consentScreen(page).open(SCAN).click();
  const { dialog, button, pages } = viewer(page);
  await expect(pages).toHaveCount(1);
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
  await button("Reading view").click();
  await expect(dialog).toContainText("This document is a scan");
  await dialog.locator(".mu-viewer-message").getByRole("button", { name: "Page view" }).click();
  await expect(pages).toHaveCount(1);
});

test("a document that fails says so, can be retried and downloaded", async ({ page, allow }) => {
  allow(/status of 503/);
  const manifest = /manifest\.json$/;
  await page.route(manifest, (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/stage/");
  await consentScreen(page).open(AGREEMENT).click();
  const { dialog, button, pages } = viewer(page);
  await expect(dialog.getByRole("alert")).toContainText("This document could not be loaded.");
  const download = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe(`${AGREEMENT}.pdf`);
  await page.unroute(manifest);
  await button("Try again").click();
  await expect(pages.first()).toBeVisible();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
});

test("other pictures wait until the current one has loaded", async ({ page }) => {
  const urls: string[] = [];
  let letCome = () => {};
  const released = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  await page.route(PICTURES, async (route) => {
    urls.push(route.request().url());
    await released;
    await route.continue();
  });
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  const { dialog } = viewer(page);
  await expect(dialog.getByText("Section 1, rule 1: a rider keeps to the left.")).toBeAttached();
  expect(urls.map((url) => url.slice(-8))).toHaveLength(1);
  expect(urls[0]).toMatch(/\/1(@2x)?\.png$/);
  letCome();
  await expect.poll(() => pictureWidth(page)).toBeGreaterThan(0);
  await expect.poll(() => urls.length).toBeGreaterThan(1);
});

test("a page whose picture fails says so in its place, and can be retried", async ({
  page,
  allow,
}) => {
  allow(/status of 404/);
  const first = /\/documents\/[0-9a-f]{64}\/1(@2x)?\.png$/;
  await page.route(first, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("/stage/");
  await consentScreen(page).open(HANDBOOK).click();
  const { dialog, surface } = viewer(page);
  const at = (number: number) => dialog.locator(`[data-page="${number}"]`);
  await expect(at(1)).toContainText("Page 1 could not be loaded.");
  const width = (number: number) =>
    at(number)
      .locator("img")
      .evaluate((element) => (element as HTMLImageElement).naturalWidth);
  await expect.poll(() => width(2)).toBeGreaterThan(0);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await takePicture(page, "missing-page");
  await page.unroute(first);
  await at(1).getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => width(1)).toBeGreaterThan(0);
  await expect(dialog.getByText("could not be loaded")).toHaveCount(0);
  await expect(surface).toBeFocused();
});

test("after the viewer, back leads where it led before", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Try it as an applicant" }).click();
  const { open, screen } = consentScreen(page);
  for (const _ of ["once", "and once more"]) {
    await open(MARKETING).click();
    await expect(viewer(page).pages).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(viewer(page).dialog).toHaveCount(0);
  }
  await screen.getByRole("button", { name: "Back" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("the original can be saved from the viewer", async ({ page }) => {
  await page.goto("/stage/");
  await consentScreen(page).open(MARKETING).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Original PDF" }).click();
  expect((await download).suggestedFilename()).toBe(`${MARKETING}.pdf`);
});

test("a viewer whose code cannot be fetched says so under the list", async ({ page, allow }) => {
  allow(/ERR_FAILED|dynamically imported/);
  const program = /document-viewer|viewer-with-words/;
  await page.route(program, (route) => route.abort());
  await page.goto("/apply");
  const { open, alert } = consentScreen(page);
  await open(AGREEMENT).click();
  await expect(alert).toContainText("The document could not be opened.");
});

test("a narrow window with a mouse begins with the pages, and offers the text", async ({
  page,
}) => {
  await page.goto("/stage/");
  const { open } = consentScreen(page);
  await open(HANDBOOK).click();
  const { dialog, pages } = viewer(page);
  await expect(pages).toHaveCount(30);
  await page.getByRole("button", { name: "Small print? Read it as text" }).click();
  await expect(dialog.locator(".mu-viewer-reading")).toBeVisible();
});

test.describe("on a tablet", () => {
  test.use({ hasTouch: true, viewport: { width: 800, height: 1100 } });

  test("a document begins with its pages", async ({ page }) => {
    await page.goto("/stage/");
    await consentScreen(page).open(HANDBOOK).tap();
    await expect(viewer(page).pages).toHaveCount(30);
    await expect(page.getByRole("button", { name: "Small print? Read it as text" })).toBeHidden();
  });
});
