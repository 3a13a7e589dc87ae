// Lists the catalogues, and reads and writes their files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rust } from "./rust.mjs";
import { typescript } from "./typescript.mjs";
import { visible } from "./visible.mjs";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The languages of docs/decisions/0017, in the order of the language switch. */
export const LANGUAGES = ["en", "de", "es", "fr", "it", "pt", "pl", "tr", "ar", "th", "bn", "ur"];

export const RIGHT_TO_LEFT = new Set(["ar", "ur"]);

/** Each catalogue is a folder with one ARB file per language, and the code that is generated from them. */
export const CATALOGUES = [
  { name: "react", folder: "packages/react/src/texts", generate: typescript },
  { name: "overlay", folder: "packages/react/src/flags/overlay/texts", generate: typescript },
  { name: "rider", folder: "apps/rider/src/texts", generate: typescript },
  {
    name: "certificate",
    folder: "crates/server/src/evidence/certificate/texts",
    generate: rust,
    hasDirection: true,
  },
  { name: "delivery", folder: "crates/server/src/sessions/delivery/texts", generate: rust },
];

/**
 * Reads a language of a catalogue.
 *
 * @returns {{ head: object, messages: Map<string, string>, about: Map<string, any> }} the metadata of
 *   the file; the messages and their metadata, by key
 */
export function readArb(path) {
  return parseArb(readFileSync(path, "utf8"));
}

export function parseArb(text) {
  const entries = Object.entries(JSON.parse(text));
  return {
    /** The metadata of the file: its language, and the parts that English is divided into. */
    head: Object.fromEntries(entries.filter(([key]) => key.startsWith("@@"))),
    messages: new Map(entries.filter(([key]) => !key.startsWith("@"))),
    about: new Map(
      entries.filter(([key]) => /^@[^@]/.test(key)).map(([key, value]) => [key.slice(1), value]),
    ),
  };
}

/** Returns an ARB file: its metadata, then each message with its metadata. */
export function writeArb(head, messages, about = new Map()) {
  const entries = Object.entries(head);
  for (const [key, text] of messages) {
    entries.push([key, text]);
    if (about.has(key)) entries.push([`@${key}`, about.get(key)]);
  }
  const lines = entries.map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${visible(JSON.stringify(value))}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

export const arbPath = ({ folder }, language) => `${ROOT}${folder}/${language}.arb`;

/** Returns all languages of a catalogue that have a file. */
export function readCatalogue(catalogue) {
  const files = readdirSync(`${ROOT}${catalogue.folder}`).filter((file) => file.endsWith(".arb"));
  const tags = LANGUAGES.filter((tag) => files.includes(`${tag}.arb`));
  return new Map(tags.map((tag) => [tag, readArb(arbPath(catalogue, tag))]));
}

/** Returns the expected content of the files generated from a catalogue, by path. */
export function generated(catalogue) {
  const languages = readCatalogue(catalogue);
  const files = catalogue.generate(languages, RIGHT_TO_LEFT, catalogue);
  return new Map([...files].map(([name, text]) => [`${ROOT}${catalogue.folder}/${name}`, text]));
}

export const current = (path, text) => existsSync(path) && readFileSync(path, "utf8") === text;
