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
  readonly kind: "heading" | "paragraph" | "item";
  readonly level?: number;
  readonly text: string;
  readonly dir: "ltr" | "rtl";
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
