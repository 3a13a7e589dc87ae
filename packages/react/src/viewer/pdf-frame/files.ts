import { post } from "./post";

interface PendingFile {
  readonly promise: Promise<Uint8Array>;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

const pendingFiles = new Map<string, PendingFile>();

function requestFile(name: string): PendingFile {
  const file = {} as { -readonly [Key in keyof PendingFile]: PendingFile[Key] };
  file.promise = new Promise((resolve, reject) => Object.assign(file, { resolve, reject }));
  pendingFiles.set(name, file);
  post({ musette: "need", name });
  return file;
}

/** Handles a file from the page that contains the frame; null if the page could not fetch it. */
export function resolveFile(name: string, bytes: ArrayBuffer | null): void {
  const file = pendingFiles.get(name);
  pendingFiles.delete(name);
  if (bytes) file?.resolve(new Uint8Array(bytes));
  else file?.reject(new Error(`the page could not fetch ${name}`));
}

const FOLDERS: Record<string, string> = {
  cMapUrl: "cmaps",
  standardFontDataUrl: "standard_fonts",
  wasmUrl: "wasm",
};

/** Loads tables, fonts and decoders for pdf.js from the page, because the frame has no network. */
export class FrameFileLoader {
  fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const name = `${FOLDERS[kind]}/${filename}`;
    const file = pendingFiles.get(name) ?? requestFile(name);
    // Copies the bytes for each call, because pdf.js transfers them.
    return file.promise.then((bytes) => bytes.slice());
  }
}
