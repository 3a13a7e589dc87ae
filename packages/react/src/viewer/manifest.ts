export interface ManifestPage {
  readonly width: number;
  readonly height: number;
  readonly src: string;
  readonly src2x: string;
  readonly lines?: string;
}

export interface Manifest {
  readonly pages: readonly ManifestPage[];
  readonly text: string;
  readonly reading?: string;
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

/**
 * Null when the server answered and has no pages for this document, so that it must be drawn here.
 * Rejects when there was no answer: then trying again may help.
 */
export async function loadManifest(url: string, fetch: Fetch): Promise<Manifest | null> {
  try {
    const manifest = await loadJson<Manifest>(url, fetch);
    return manifest.pages?.length ? manifest : null;
  } catch (error) {
    // A host whose links only look like ours answers 404, or a page of its own instead of JSON.
    if (error instanceof SyntaxError || (error as number) < 429) return null;
    throw error;
  }
}
