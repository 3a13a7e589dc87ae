import type { Block } from "../viewer/manifest";
import { difference, type Stretch } from "./difference";
import { type Start, type Word, wordsOf } from "./words";

export interface Run {
  readonly kind: Stretch["kind"];
  /** Whether a space stands before it, which is not to be struck out or underlined with it. */
  readonly spaced: boolean;
  readonly text: string;
}

/** A paragraph in which something changed, or the heading above it. */
export interface Paragraph {
  readonly dir: Start["dir"];
  readonly heading: boolean;
  /** Paragraphs that stand between this one and the one shown before it, without a change. */
  readonly skipped: number;
  readonly runs: readonly Run[];
}

export interface Changes {
  readonly kind: "changes";
  readonly paragraphs: readonly Paragraph[];
  readonly added: number;
  readonly removed: number;
  /** Unchanged paragraphs after the last change. */
  readonly rest: number;
}

export type Comparison = { readonly kind: "same" | "different" | "textless" } | Changes;

/** A text of which less than this part has stayed is another text: marks in it would only confuse. */
const KEPT_MIN = 0.25;
/** So many words of an unchanged stretch are shown on either side of a change. */
const CONTEXT_WORDS = 24;

/** What changed between two documents, by their words; pictures and layout are not compared. */
export function compare(before: readonly Block[], after: readonly Block[]): Comparison {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length === 0 || now.length === 0) return { kind: "textless" };
  const text = ({ text }: Word) => text;
  const all = difference(old.map(text), now.map(text));
  const count = (kind: Stretch["kind"]) =>
    (all ?? []).reduce((sum, it) => sum + (it.kind === kind ? it.to - it.from : 0), 0);
  if (!all || count("same") < KEPT_MIN * Math.max(old.length, now.length)) {
    return { kind: "different" };
  }
  const [added, removed] = [count("added"), count("removed")];
  if (added + removed === 0) return { kind: "same" };
  return { kind: "changes", added, removed, ...shown(paragraphsOf(old, now, all)) };
}

interface Draft extends Start {
  readonly runs: { kind: Stretch["kind"]; words: Word[] }[];
}

/** The new text in its paragraphs, with what was removed where it had stood. */
function paragraphsOf(
  old: readonly Word[],
  now: readonly Word[],
  all: readonly Stretch[],
): readonly Draft[] {
  const paragraphs: Draft[] = [];
  let oldAt = 0;
  const put = (kind: Stretch["kind"], word: Word, oldStart: Start | undefined) => {
    let last = paragraphs.at(-1);
    const onlyRemoved = last?.runs.every((run) => run.kind === "removed") ?? false;
    // A paragraph whose first words were replaced goes on; after one that is gone another begins.
    const goesOn = onlyRemoved && (kind === "added" || !oldStart);
    if (!last || (word.start && !goesOn)) {
      last = { ...(word.start ?? { dir: "ltr", heading: false }), runs: [] };
      paragraphs.push(last);
    }
    const run = last.runs.at(-1);
    if (run?.kind === kind) run.words.push(word);
    else last.runs.push({ kind, words: [word] });
  };
  for (const { kind, from, to } of all) {
    for (const word of (kind === "removed" ? old : now).slice(from, to)) {
      put(kind, word, kind === "added" ? undefined : old[oldAt]?.start);
      if (kind !== "added") oldAt++;
    }
  }
  return paragraphs;
}

/** The paragraphs with a change, each under the heading that it stands under. */
function shown(drafts: readonly Draft[]): { paragraphs: readonly Paragraph[]; rest: number } {
  const paragraphs: Paragraph[] = [];
  let above: { readonly heading: Draft; readonly skipped: number } | undefined;
  let skipped = 0;
  const sinceShown = () => skipped + (above ? above.skipped + 1 : 0);
  for (const draft of drafts) {
    const changed = draft.runs.some(({ kind }) => kind !== "same");
    if (changed) {
      if (above && !draft.heading) paragraphs.push(paragraph(above.heading, above.skipped));
      paragraphs.push(paragraph(draft, draft.heading ? sinceShown() : skipped));
      above = undefined;
      skipped = 0;
    } else if (draft.heading) {
      above = { heading: draft, skipped: sinceShown() };
      skipped = 0;
    } else {
      skipped++;
    }
  }
  return { paragraphs, rest: sinceShown() };
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
      text: kind === "same" ? cut(words, at > 0, at < last) : joined(words),
    })),
  };
}

function joined(words: readonly Word[]): string {
  return words.map(({ text, spaced }, at) => (spaced && at > 0 ? ` ${text}` : text)).join("");
}

/** An unchanged stretch without its middle: what is near a change tells where it stands. */
function cut(words: readonly Word[], afterChange: boolean, beforeChange: boolean): string {
  const head = afterChange ? CONTEXT_WORDS : 0;
  const tail = beforeChange ? CONTEXT_WORDS : 0;
  const isShort = words.length <= head + tail + CONTEXT_WORDS;
  if (isShort || head + tail === 0) return joined(words);
  const kept = [words.slice(0, head), words.slice(words.length - tail)].map(joined);
  return kept.join(" … ").trim();
}
