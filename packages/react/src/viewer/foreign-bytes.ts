import type { Fetch } from "./manifest";

/** The maximum size, which equals the limit of the server. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Fetches a PDF that Musette does not serve. Rejects if it is not a PDF or does not have the hash of the term. */
export async function fetchExternalPdf(
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
  if (!response.ok || !response.body)
    throw new Error(`the request for the document failed with status ${response.status}`);
  const bytes = await readLimited(response.body);
  const head = new TextDecoder("latin1").decode(
    new Uint8Array(bytes, 0, Math.min(1024, bytes.byteLength)),
  );
  if (!head.includes("%PDF-")) throw new Error("the document is not a PDF");
  // `crypto.subtle` is missing on pages without HTTPS, where no content can be trusted.
  if (sha256 && globalThis.crypto?.subtle && (await digest(bytes)) !== sha256)
    throw new Error("the document does not have the SHA-256 of the term");
  return bytes;
}

async function readLimited(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ArrayBuffer> {
  let size = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > MAX_BYTES) throw new Error("the document is larger than 20 MiB");
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
