/** The message from the page that opens a PDF in the frame. The page does not trust messages from the frame. */
export interface OpenMessage {
  readonly musette: "open";
  readonly bytes: ArrayBuffer;
  readonly worker: string;
  readonly zoom: number;
  readonly dir: string;
  readonly lang: string;
}
export type ToFrame =
  | OpenMessage
  | { readonly musette: "zoom"; readonly zoom: number }
  | { readonly musette: "file"; readonly name: string; readonly bytes: ArrayBuffer | null };

export type FromFrame =
  | { readonly musette: "ready" }
  | {
      readonly musette: "place";
      readonly page: number;
      readonly pages: number;
      /** Whether the page is rendered, and not only in view. */
      readonly drawn: boolean;
    }
  | { readonly musette: "zoom"; readonly zoom: number }
  | { readonly musette: "need"; readonly name: string }
  | { readonly musette: "failed" }
  | { readonly musette: "close" };

const FILE = /^(cmaps|standard_fonts|wasm|iccs)\/[\w-]+\.\w+$/;

/** Parses a message from the frame. Even a compromised frame can send only these messages. */
export function parseFromFrame(data: unknown): FromFrame | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { musette, page, pages, zoom, name, drawn } = data as Record<string, unknown>;
  const count = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) > 0 && (value as number) <= 10_000;
  switch (musette) {
    case "ready":
    case "failed":
    case "close":
      return { musette };
    case "place":
      return count(page) && count(pages) && page <= pages
        ? { musette, page, pages, drawn: drawn === true }
        : undefined;
    case "zoom":
      return typeof zoom === "number" && zoom >= 1 && zoom <= 4 ? { musette, zoom } : undefined;
    case "need":
      return typeof name === "string" && FILE.test(name) ? { musette, name } : undefined;
    default:
      return undefined;
  }
}
