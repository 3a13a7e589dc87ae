import type { Page } from "@playwright/test";

/** The open viewer. */
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

/** The width of the picture of the first page; 0 until it is there. */
export const natural = (page: Page) =>
  viewer(page).picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);

/**
 * The viewer notes a page in the frame after its picture has loaded and was decoded, which nothing on the screen
 * shows. So this counts frames, and no time, with a picture decoded between them.
 */
export const framesDrawn = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame++) {
      await new Promise(requestAnimationFrame);
      const pictures = [...document.querySelectorAll<HTMLImageElement>("dialog img")];
      await Promise.allSettled(pictures.filter((it) => it.complete).map((it) => it.decode()));
    }
  });

export const PICTURES = /\/documents\/[0-9a-f]{64}\/\d+(@2x)?\.png$/;
