// Finds console translations of a former English text. The lock file has a line for each English text:
// short hashes of the English text and of its translations when they last matched.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pages, readPage, TRANSLATIONS } from "./console-texts.mjs";

const FILE = new URL("translation-lock.json", import.meta.url);
const ABSENT = "-";

const hash = (text) =>
  text === undefined ? ABSENT : createHash("sha256").update(text).digest("hex").slice(0, 6);

/** Returns the entries of the lock for the current texts of the console. */
export function currentEntries() {
  const entries = new Map();
  for (const page of pages()) {
    const translations = TRANSLATIONS.map((tag) => readPage(page, tag));
    for (const [key, text] of readPage(page, "en")) {
      entries.set(`${page} ${key}`, entry(text, ...translations.map((texts) => texts.get(key))));
    }
  }
  return entries;
}

/** Returns the entry of an English text and its translations, in the order of `TRANSLATIONS`. */
export function entry(english, ...translations) {
  return [english, ...translations].map(hash).join(" ");
}

/** Returns the languages whose translation did not change since the English text changed. */
export function staleLanguages(locked, current) {
  const [oldEnglish, ...oldTranslations] = locked.split(" ");
  const [english, ...translations] = current.split(" ");
  if (oldEnglish === english) return [];
  return TRANSLATIONS.filter(
    (_, index) => translations[index] !== ABSENT && translations[index] === oldTranslations[index],
  );
}

/** Returns the lock after an update. Texts with a stale translation keep their former entry. */
export function updated(locked, current) {
  const next = new Map();
  for (const [name, now] of current) {
    const before = locked.get(name);
    next.set(name, before && staleLanguages(before, now).length ? before : now);
  }
  return next;
}

/** Compares the texts with the lock. Each finding is one sentence. */
export function lockFindings(locked, current) {
  const errors = [];
  for (const [name, now] of current) {
    const before = locked.get(name);
    const stale = before ? staleLanguages(before, now) : [];
    if (stale.length) errors.push(`${name}: English changed, translate it: ${stale.join(", ")}`);
    else if (before !== now) errors.push(`${name}: the lock is out of date: npm run texts`);
  }
  for (const name of locked.keys()) {
    if (!current.has(name)) errors.push(`${name}: the text was removed: npm run texts`);
  }
  return errors.map((what) => `console: ${what}`);
}

export function readLock() {
  return new Map(Object.entries(JSON.parse(readFileSync(FILE, "utf8"))));
}

/** Updates the lock file and returns the stale translations. */
export function updateLock() {
  const current = currentEntries();
  const next = updated(readLock(), current);
  write(next);
  return lockFindings(next, current);
}

/** Records that all translations of a text match its changed English text. */
export function confirm(page, key) {
  const name = `${page} ${key}`;
  const now = currentEntries().get(name);
  if (!now) throw new Error(`Unknown text ${name}`);
  write(readLock().set(name, now));
}

function write(entries) {
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
