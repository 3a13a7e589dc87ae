import { post } from "./post";

interface Asked {
  readonly promise: Promise<Uint8Array>;
  readonly give: (bytes: Uint8Array) => void;
  readonly fail: (error: Error) => void;
}

const waiting = new Map<string, Asked>();

function ask(name: string): Asked {
  const asked = {} as { -readonly [Key in keyof Asked]: Asked[Key] };
  asked.promise = new Promise((give, fail) => Object.assign(asked, { give, fail }));
  waiting.set(name, asked);
  post({ musette: "need", name });
  return asked;
}

/** A file came from the page that holds the frame; null where it could not be had. */
export function giveFile(name: string, bytes: ArrayBuffer | null): void {
  const asked = waiting.get(name);
  waiting.delete(name);
  if (bytes) asked?.give(new Uint8Array(bytes));
  else asked?.fail(new Error(`no ${name}`));
}

const FOLDERS: Record<string, string> = {
  cMapUrl: "cmaps",
  standardFontDataUrl: "standard_fonts",
  wasmUrl: "wasm",
};

/** pdf.js asks here for its tables, fonts and decoders: the frame itself has no network. */
export class FilesFromPage {
  fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const name = `${FOLDERS[kind]}/${filename}`;
    const asked = waiting.get(name) ?? ask(name);
    // pdf.js transfers what it is given, so each one who asks needs a copy of its own.
    return asked.promise.then((bytes) => bytes.slice());
  }
}
