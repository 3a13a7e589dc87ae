export interface ManifestPage {
  readonly width: number;
  readonly height: number;
  readonly src: string;
  readonly src2x: string;
  readonly lines: string;
}

export interface Manifest {
  readonly pages: readonly ManifestPage[];
  readonly text: string;
  readonly reading: string;
  /** Pages whose text may differ from their image. Absent if publishing did not measure it. */
  readonly doubts?: readonly Doubt[];
  /** Parts of pages that are shown as pictures for the same reason. Absent before this was measured. */
  readonly regions?: readonly Region[];
  /** The version of the comparison of text and pages. Absent in earlier versions, of which the last had `regions`. */
  readonly check?: number;
}

/** A part of a page that is shown instead of its text, which may say something else. */
export interface Region extends Area {
  readonly page: number;
}

export interface Doubt {
  readonly page: number;
  readonly kind: string;
}

export interface Line {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly dir: "ltr" | "rtl";
}

export interface Block {
  readonly page: number;
  readonly kind: "heading" | "paragraph" | "item" | "table" | "figure" | "note" | "margin";
  readonly level?: number;
  readonly text: string;
  readonly dir: "ltr" | "rtl";
  /** The marker of a list item as printed on the page. The text of a numbered item starts with it. */
  readonly marker?: string;
  /** The number of lists around it. */
  readonly depth?: number;
  readonly rows?: readonly (readonly Cell[])[];
  /** The area of a figure in pixels of the page image. */
  readonly area?: Area;
  /** The images of this area. Absent in documents of earlier versions and for areas of nearly the whole page. */
  readonly cut?: Cut;
  /** Whether it is a figure because its text may say something else than the page. Its text is empty. */
  readonly marked?: boolean;
  /** The number of a frame. Adjacent blocks with the same number share a frame. */
  readonly framed?: number;
}

export interface Cell {
  readonly text: string;
  readonly dir: "ltr" | "rtl";
  readonly head?: boolean;
  readonly columns?: number;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Images of a part of a page, which reach to the next whole pixels around its area. */
export interface Cut extends Area {
  readonly src: string;
  readonly src2x: string;
}

export type Fetch = typeof globalThis.fetch;

// The files of a document are named by its hash and never change, so the page caches each of them once.
const loaded = new Map<string, Promise<unknown>>();

/** Fetches JSON once and caches it. Rejects with the status of an error response. */
export function loadJson<T>(url: string, fetch: Fetch, init?: RequestInit): Promise<T> {
  let promise = loaded.get(url);
  if (!promise) {
    promise = fetch(url, init).then((response) =>
      response.ok ? response.json() : Promise.reject(response.status),
    );
    loaded.set(url, promise);
    promise.catch(() => loaded.delete(url));
  }
  return promise as Promise<T>;
}
