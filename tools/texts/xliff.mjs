// Writes and reads XLIFF 1.2, the exchange format of translators' tools, with source and target in one file.
import { argumentsOf, parse } from "./message.mjs";

const encode = (text) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign],
  );

const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decode = (text) =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (name) return NAMED[name] ?? all;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });

/** Returns the file for a translator: every message of a catalogue, with the existing translations. */
export function toXliff(name, tag, english, own) {
  const units = [...english.messages].map(([key, source]) => {
    const target = own?.messages.get(key);
    const about = english.about.get(key)?.description;
    const places = [...argumentsOf(parse(source)).keys()].map((place) => `{${place}}`);
    const notes = [about, places.length && `Placeholders: ${places.join(", ")}`].filter(Boolean);
    return [
      `      <trans-unit id="${encode(key)}" xml:space="preserve">`,
      `        <source>${encode(source)}</source>`,
      target !== undefined && `        <target state="translated">${encode(target)}</target>`,
      ...notes.map((note) => `        <note>${encode(note)}</note>`),
      "      </trans-unit>",
    ];
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="${encode(name)}" source-language="en" target-language="${tag}" datatype="plaintext">
    <body>
${units.flat().filter(Boolean).join("\n")}
    </body>
  </file>
</xliff>
`;
}

/**
 * Reads a translated file.
 *
 * @returns {{ name: string, tag: string, messages: Map<string, string> }[]} one per file element;
 *   messages without a target are left out
 */
export function fromXliff(xml) {
  return [...xml.matchAll(/<file\b([^>]*)>([\s\S]*?)<\/file>/g)].map(([, head, body]) => {
    const messages = new Map();
    for (const [, unit, inside] of body.matchAll(
      /<trans-unit\b([^>]*)>([\s\S]*?)<\/trans-unit>/g,
    )) {
      const target = /<target\b[^>]*?(?:\/>|>([\s\S]*?)<\/target>)/.exec(inside)?.[1];
      if (!target) continue;
      const key = attribute(unit, "id");
      // Segments that a tool has marked are joined. Any other element would be lost, so it is an error.
      const words = target.replace(/<\/?mrk\b[^>]*>/g, "");
      if (words.includes("<")) throw new Error(`${key} has an element in its target: ${words}`);
      messages.set(key, decode(words));
    }
    return { name: attribute(head, "original"), tag: attribute(head, "target-language"), messages };
  });
}

function attribute(head, name) {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(head);
  if (!match) throw new Error(`An element lacks ${name}`);
  return decode(match[1] ?? match[2]);
}
