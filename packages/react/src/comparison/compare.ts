import type { Block } from "../viewer/manifest";
import { difference, type Stretch } from "./difference";
import { type Start, type Word, wordsOf } from "./words";

export interface Run {
  readonly kind: Stretch["kind"];
  /** Whether there is a space before it. The space is not struck through or underlined. */
  readonly spaced: boolean;
  readonly text: string;
}

/** A paragraph in which something changed, or the heading above it. */
export interface Paragraph {
  readonly dir: Start["dir"];
  readonly heading: boolean;
  /** The number of unchanged paragraphs between the previous shown paragraph and this one. */
  readonly skipped: number;
  readonly runs: readonly Run[];
}

export interface Changes {
  readonly kind: "changes";
  readonly paragraphs: readonly Paragraph[];
  readonly added: number;
  readonly removed: number;
  /** The number of unchanged paragraphs after the last change. */
  readonly rest: number;
}

export type Comparison = { readonly kind: "same" | "different" | "textless" } | Changes;

/** The minimum share of unchanged words. Below it the texts are too different, and marks would only confuse. */
const UNCHANGED_SHARE_MIN = 0.25;
/** The number of unchanged words that are shown before and after a change. */
const CONTEXT_WORDS = 24;

/** Compares the words of two documents. Ignores pictures and layout. */
export function compare(before: readonly Block[], after: readonly Block[]): Comparison {
  const [oldWords, newWords] = [wordsOf(before), wordsOf(after)];
  if (oldWords.length === 0 || newWords.length === 0) return { kind: "textless" };
  const text = ({ text }: Word) => text;
  const all = difference(oldWords.map(text), newWords.map(text));
  const count = (kind: Stretch["kind"]) =>
    (all ?? []).reduce(
      (sum, stretch) => sum + (stretch.kind === kind ? stretch.to - stretch.from : 0),
      0,
    );
  if (!all || count("same") < UNCHANGED_SHARE_MIN * Math.max(oldWords.length, newWords.length)) {
    return { kind: "different" };
  }
  const [added, removed] = [count("added"), count("removed")];
  if (added + removed === 0) return { kind: "same" };
  return {
    kind: "changes",
    added,
    removed,
    ...changedParagraphs(paragraphsOf(oldWords, newWords, all)),
  };
}

interface Draft extends Start {
  readonly runs: { kind: Stretch["kind"]; words: Word[] }[];
}

/** Returns the paragraphs of the new text. Removed words are at their old position. */
function paragraphsOf(
  oldWords: readonly Word[],
  newWords: readonly Word[],
  all: readonly Stretch[],
): readonly Draft[] {
  const paragraphs: Draft[] = [];
  let oldAt = 0;
  const append = (kind: Stretch["kind"], word: Word, oldStart: Start | undefined) => {
    let last = paragraphs.at(-1);
    const onlyRemoved = last?.runs.every((run) => run.kind === "removed") ?? false;
    // If only the first words were replaced, the paragraph continues. After a removed paragraph a new one starts.
    const continues = onlyRemoved && (kind === "added" || !oldStart);
    if (!last || (word.start && !continues)) {
      last = { ...(word.start ?? { dir: "ltr", heading: false }), runs: [] };
      paragraphs.push(last);
    }
    const run = last.runs.at(-1);
    if (run?.kind === kind) run.words.push(word);
    else last.runs.push({ kind, words: [word] });
  };
  for (const { kind, from, to } of all) {
    for (const word of (kind === "removed" ? oldWords : newWords).slice(from, to)) {
      append(kind, word, kind === "added" ? undefined : oldWords[oldAt]?.start);
      if (kind !== "added") oldAt++;
    }
  }
  return paragraphs;
}

/** Returns the changed paragraphs, each with the heading above it. */
function changedParagraphs(drafts: readonly Draft[]): {
  paragraphs: readonly Paragraph[];
  rest: number;
} {
  const paragraphs: Paragraph[] = [];
  let pendingHeading: { readonly heading: Draft; readonly skipped: number } | undefined;
  let skipped = 0;
  const skippedSoFar = () => skipped + (pendingHeading ? pendingHeading.skipped + 1 : 0);
  for (const draft of drafts) {
    const changed = draft.runs.some(({ kind }) => kind !== "same");
    if (changed) {
      if (pendingHeading && !draft.heading)
        paragraphs.push(paragraph(pendingHeading.heading, pendingHeading.skipped));
      paragraphs.push(paragraph(draft, draft.heading ? skippedSoFar() : skipped));
      pendingHeading = undefined;
      skipped = 0;
    } else if (draft.heading) {
      pendingHeading = { heading: draft, skipped: skippedSoFar() };
      skipped = 0;
    } else {
      skipped++;
    }
  }
  return { paragraphs, rest: skippedSoFar() };
}

function paragraph({ dir, heading, runs }: Draft, skipped: number): Paragraph {
  const last = runs.length - 1;
  return {
    dir,
    heading,
    skipped,
    runs: runs.map(({ kind, words }, at) => ({
      kind,
      spaced: at > 0 && words[0]?.spaced === true,
      text: kind === "same" ? shorten(words, at > 0, at < last) : join(words),
    })),
  };
}

function join(words: readonly Word[]): string {
  return words.map(({ text, spaced }, at) => (spaced && at > 0 ? ` ${text}` : text)).join("");
}

/** Returns an unchanged stretch without its middle. The words near a change show its position. */
function shorten(words: readonly Word[], afterChange: boolean, beforeChange: boolean): string {
  const head = afterChange ? CONTEXT_WORDS : 0;
  const tail = beforeChange ? CONTEXT_WORDS : 0;
  const isShort = words.length <= head + tail + CONTEXT_WORDS;
  if (isShort || head + tail === 0) return join(words);
  const ends = [words.slice(0, head), words.slice(words.length - tail)].map(join);
  return ends.join(" … ").trim();
}
