import type { Block } from "../viewer/manifest";

/** Properties of a block of text, attached to its first word. */
export interface Start {
  readonly dir: "ltr" | "rtl";
  readonly heading: boolean;
}

export interface Word {
  readonly text: string;
  /** Whether a space or the end of a block is before it. */
  readonly spaced: boolean;
  /** Set on the first word of a block only. */
  readonly start?: Start;
}

// Matches raised or lowered signs, a number with separators, a word with its joiners, or a single sign. A footnote mark
// is a separate word, so that 50¹ is 50 with a mark.
const PART =
  /[²³¹⁰-₎ₐ-ₜʰ-ʸᵃ-ᵥᶜᶠᶻ]+|(?:(?![²³¹⁰-₎ₐ-ₜʰ-ʸᵃ-ᵥᶜᶠᶻ])[\p{L}\p{M}\p{N}])+(?:[.,:/'’-](?:(?![²³¹⁰-₎ₐ-ₜʰ-ʸᵃ-ᵥᶜᶠᶻ])[\p{L}\p{M}\p{N}])+)*|[^\s\p{L}\p{M}\p{N}]/gu;
/** Matches scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Han}\p{Script=Hiragana}]/u;

/** Returns the words of a document. Comparing words makes differences in layout irrelevant. */
export function wordsOf(blocks: readonly Block[]): readonly Word[] {
  return blocks.flatMap(({ text, dir, kind }) => {
    // Removes soft hyphens, which only mark possible line breaks.
    const clean = text.normalize("NFC").replaceAll("\u00ad", "");
    let end = 0;
    return [...clean.matchAll(PART)].flatMap((match, index) => {
      const spaced = index === 0 || match.index > end;
      end = match.index + match[0].length;
      return segmentsOf(match[0]).map((segment, position) => ({
        text: segment,
        spaced: spaced && position === 0,
        ...(index + position === 0 && { start: { dir, heading: kind === "heading" } }),
      }));
    });
  });
}

function segmentsOf(part: string): readonly string[] {
  if (!UNSPACED.test(part) || !Intl.Segmenter) return [part];
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  return Array.from(segmenter.segment(part), ({ segment }) => segment);
}
