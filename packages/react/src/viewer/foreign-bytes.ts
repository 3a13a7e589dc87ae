import type { Fetch } from "./manifest";

/** The largest document that the server itself takes. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Rejects for anything that is not the PDF that was agreed on. */
export async function foreignBytes(
  url: string,
  sha256: string | undefined,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const sameOrigin = new URL(url).origin === location.origin;
  const response = await fetch(url, {
    signal,
    credentials: sameOrigin ? "same-origin" : "omit",
    referrerPolicy: "no-referrer",
  });
  if (!response.ok || !response.body) throw new Error(`document answered ${response.status}`);
  const bytes = await limited(response.body);
  const head = new TextDecoder("latin1").decode(
    new Uint8Array(bytes, 0, Math.min(1024, bytes.byteLength)),
  );
  if (!head.includes("%PDF-")) throw new Error("document is not a PDF");
  // Absent on a page without https, where nothing could be trusted anyway.
  if (sha256 && globalThis.crypto?.subtle && (await digest(bytes)) !== sha256)
    throw new Error("document is not the one that the term names");
  return bytes;
}

async function limited(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ArrayBuffer> {
  let size = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > MAX_BYTES) throw new Error("document is too large");
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted).arrayBuffer();
}

async function digest(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
