import type { Page } from "@playwright/test";

interface Box {
  readonly what: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The content of a box: how many pixels contrast with its background, and the brightness of its
 * centre.
 */
export interface Ink {
  readonly what: string;
  /** Pixels that differ from the most frequent colour by a contrast of at least 3 (WCAG 1.4.11). */
  readonly pixels: number;
  /** Relative luminance, from 0 to 1. */
  readonly middle: number;
}

/** Returns all visible controls that can be used. With an open dialog, only those in the dialog. */
export const controls = (page: Page): Promise<Box[]> =>
  page.evaluate(() => {
    const open = document.querySelector("dialog[open]") ?? document.body;
    const all = open.querySelectorAll<HTMLElement>(
      "button, a, input, select, summary, [role=switch]",
    );
    return [...all].flatMap((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const isThere = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      const inView = x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
      if (!isThere || !inView || width < 4 || height < 4) return [];
      const above = document.elementFromPoint(x + width / 2, y + height / 2);
      const isCovered = above && !element.contains(above) && !above.contains(element);
      return isCovered ? [] : [{ what: element.outerHTML.slice(0, 120), x, y, width, height }];
    });
  });

/** Reads pixels in a separate page, because our content security policy forbids the picture of a test. */
export async function measureInk(page: Page, boxes: readonly Box[]): Promise<Ink[]> {
  const picture = (await page.screenshot({ animations: "disabled", caret: "hide" })).toString(
    "base64",
  );
  const paper = await page.context().newPage();
  try {
    return await paper.evaluate(readPixels, { picture, boxes });
  } finally {
    await paper.close();
  }
}

/** Runs in the page. */
async function readPixels(given: { picture: string; boxes: readonly Box[] }): Promise<Ink[]> {
  const bytes = Uint8Array.from(atob(given.picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("the canvas has no 2d context");
  context.drawImage(bitmap, 0, 0);
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return given.boxes.map(({ what, x, y, width, height }) => {
    const { data } = context.getImageData(x, y, width, height);
    const bright: number[] = [];
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]].map((channel) =>
        linear(channel ?? 0),
      );
      bright.push(Math.round((0.2126 * r + 0.7152 * g + 0.0722 * b) * 1000) / 1000);
    }
    const counts = new Map<number, number>();
    for (const one of bright) counts.set(one, (counts.get(one) ?? 0) + 1);
    const [ground = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
    const contrast = (one: number) =>
      (Math.max(one, ground) + 0.05) / (Math.min(one, ground) + 0.05);
    const middle = bright[Math.floor(height / 2) * Math.floor(width) + Math.floor(width / 2)] ?? 0;
    return { what, pixels: bright.filter((one) => contrast(one) >= 3).length, middle };
  });
}
