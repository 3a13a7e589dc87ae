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
  /** Pages whose text may differ from what they show. Absent if that was not measured at publishing. */
  readonly doubts?: readonly Doubt[];
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
  /** The marker of an item, as it is drawn on the page. The text of a numbered one begins with it. */
  readonly marker?: string;
  /** How many lists it is inside of. */
  readonly depth?: number;
  readonly rows?: readonly (readonly Cell[])[];
  /** Where a figure is on the picture of its page, in pixels of that. */
  readonly area?: Area;
  /** Neighbours with the same number stand in one frame. */
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

export type Fetch = typeof globalThis.fetch;

// Everything beside a document is named by its hash and never changes, so one copy a page is enough.
const loaded = new Map<string, Promise<unknown>>();

/** Rejects with the status where there was an answer. */
export function loadJson<T>(url: string, fetch: Fetch, init?: RequestInit): Promise<T> {
  let answer = loaded.get(url);
  if (!answer) {
    answer = fetch(url, init).then((response) =>
      response.ok ? response.json() : Promise.reject(response.status),
    );
    loaded.set(url, answer);
    answer.catch(() => loaded.delete(url));
  }
  return answer as Promise<T>;
}
