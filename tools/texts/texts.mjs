// node tools/texts/texts.mjs               generates code from the catalogues, and reports their errors
// node tools/texts/texts.mjs export TAG DIR  writes one XLIFF and one ARB file per catalogue, for a translator
// node tools/texts/texts.mjs import FILE…    imports translated .xlf and .arb files into the catalogues
// node tools/texts/texts.mjs confirm PAGE KEY  keeps the console's translations of a changed English text
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import {
  arbPath,
  CATALOGUES,
  current,
  generated,
  parseArb,
  readArb,
  writeArb,
} from "./catalogues.mjs";
import { findings } from "./check.mjs";
import { confirm, updateLock } from "./translation-lock.mjs";
import { fromXliff, toXliff } from "./xliff.mjs";

const [command, ...rest] = process.argv.slice(2);

if (command === "export") exportTo(...rest);
else if (command === "import") rest.forEach(importFrom);
else if (command === "confirm") confirm(...rest);
else if (command) throw new Error(`Unknown command ${command}`);
if (command !== "export") make();

function make() {
  for (const catalogue of CATALOGUES) {
    for (const [path, text] of generated(catalogue)) {
      if (current(path, text)) continue;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  const wrong = [...CATALOGUES.flatMap(findings), ...updateLock()];
  for (const finding of wrong) console.error(finding);
  if (wrong.length) process.exitCode = 1;
}

function exportTo(tag, folder) {
  if (!tag || !folder) throw new Error("export needs a language and a folder");
  mkdirSync(folder, { recursive: true });
  for (const catalogue of CATALOGUES) {
    const english = readArb(arbPath(catalogue, "en"));
    const path = arbPath(catalogue, tag);
    const own = existsSync(path) ? readArb(path) : undefined;
    const file = `${folder}/${catalogue.name}.${tag}`;
    writeFileSync(`${file}.xlf`, toXliff(catalogue.name, tag, english, own));
    writeFileSync(
      `${file}.arb`,
      writeArb({ "@@locale": tag }, own?.messages ?? new Map(), english.about),
    );
  }
}

function importFrom(file) {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".arb")) {
    const { head, messages } = parseArb(text);
    put(basename(file).split(".")[0], head["@@locale"], messages);
  } else {
    for (const { name, tag, messages } of fromXliff(text)) put(name, tag, messages);
  }
}

/** Imports messages. Messages that are missing in the file stay unchanged, and the order is that of English. */
function put(name, tag, messages) {
  const catalogue = CATALOGUES.find((one) => one.name === name);
  if (!catalogue) throw new Error(`No catalogue is called ${name}`);
  const path = arbPath(catalogue, tag);
  const old = existsSync(path) ? readArb(path).messages : new Map();
  const english = readArb(arbPath(catalogue, "en")).messages;
  const unknown = [...messages.keys()].filter((key) => !english.has(key));
  if (unknown.length) throw new Error(`${name} has no ${unknown.join(", ")}`);
  const whole = [...english.keys()].flatMap((key) => {
    const text = messages.get(key) ?? old.get(key);
    return text === undefined ? [] : [[key, text]];
  });
  writeFileSync(path, writeArb({ "@@locale": tag }, whole));
}
