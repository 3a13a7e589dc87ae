import type { Page } from "@playwright/test";

/** Returns the parts of the open viewer. */
export function viewer(page: Page) {
  const dialog = page.getByRole("dialog");
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  return {
    dialog,
    button,
    surface: dialog.getByRole("region"),
    pages: dialog.locator("[data-page] img"),
    picture: dialog.locator("[data-page='1'] img"),
  };
}

/** Returns the width of the first page's picture; 0 until it is loaded. */
export const pictureWidth = (page: Page) =>
  viewer(page).picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);

/**
 * The viewer records a page in the frame after its picture has loaded and was decoded, which the
 * screen does not show. So this counts frames instead of time, and decodes a picture between them.
 */
export const waitForFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame++) {
      await new Promise(requestAnimationFrame);
      const pictures = [...document.querySelectorAll<HTMLImageElement>("dialog img")];
      await Promise.allSettled(
        pictures.filter((picture) => picture.complete).map((picture) => picture.decode()),
      );
    }
  });

export const PICTURES = /\/documents\/[0-9a-f]{64}\/\d+(@2x)?\.png$/;
