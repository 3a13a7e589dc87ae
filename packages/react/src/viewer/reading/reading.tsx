import { type RefCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { ViewerTexts } from "../../texts/texts";
import type { Block, Doubt, ManifestPage } from "../manifest";
import { elementAt } from "../zoom";
import { Blocks } from "./blocks";
import { DoubtfulPage } from "./doubtful-page";
import { usePreferences } from "./preferences";
import { loadReadingPosition, storeReadingPosition } from "./reading-position";
import { ReadingTools } from "./reading-tools";

interface ReadingProps {
  readonly blocks: readonly Block[];
  readonly doubts: readonly Doubt[] | undefined;
  /** Whether the text was compared with its pages when the document was published. */
  readonly isChecked: boolean;
  readonly pages: readonly ManifestPage[];
  /** The address of the manifest, which identifies the document. */
  readonly base: string;
  readonly start: RefCallback<HTMLElement>;
  readonly texts: ViewerTexts;
  /** The language of the document. */
  readonly lang: string | undefined;
  /** The language of the texts. */
  readonly locale: string | undefined;
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onPages: () => void;
}

const NONE: readonly Doubt[] = [];

/** The height of the tools, below which the reading position is. */
const TOP_PX = 65;

/** Shows only the text, in a size that the user sets. An A4 page on a phone would have letters of five pixels. */
export function Reading(props: ReadingProps) {
  const { blocks, doubts = NONE, pages, base, start, texts, lang, locale, zoom } = props;
  const { isChecked, onZoom, onPages } = props;
  const root = useRef<HTMLDivElement>(null);
  const preferences = usePreferences();
  const { spacing, colours, size, set } = preferences;

  const hasSize = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: restores the size once, then stores changes
  useLayoutEffect(() => {
    if (hasSize.current) set({ size: zoom });
    else onZoom(size);
    hasSize.current = true;
  }, [zoom]);

  useEffect(() => {
    const surface = root.current?.closest("section");
    if (!root.current || !surface) return;
    const stored = loadReadingPosition(base);
    const target = root.current.querySelector<HTMLElement>(`[data-block="${stored?.block}"]`);
    const top = () => surface.getBoundingClientRect().top + TOP_PX;
    // Undefined unless the user has scrolled since the document was opened, maybe in the page view.
    const page = root.current.closest("dialog")?.dataset.at;
    if (!stored || !target || (page && page !== target.dataset.page)) start(root.current);
    else {
      const box = target.getBoundingClientRect();
      surface.scrollBy(0, box.top + stored.down * box.height - top());
    }
    const storePosition = () => {
      const element = elementAt(surface, top());
      const box = element?.getBoundingClientRect();
      const block = element?.dataset.block;
      if (block && box?.height)
        storeReadingPosition(base, { block, down: (top() - box.top) / box.height });
    };
    surface.addEventListener("scroll", storePosition, { passive: true });
    return () => surface.removeEventListener("scroll", storePosition);
  }, [base, start]);

  // Memoized, because a document of 300 pages has thousands of blocks, and the viewer renders at each page.
  const parts = useMemo(() => {
    const shown = { pages, base, texts, zoom, locale };
    return byPage(blocks, doubts).map((part) =>
      part.doubt ? (
        <DoubtfulPage key={part.page} {...part} doubt={part.doubt} {...shown} />
      ) : (
        <Blocks key={part.page} {...part} {...shown} />
      ),
    );
  }, [blocks, doubts, pages, base, texts, zoom, locale]);

  if (!blocks.length)
    return (
      <div className="mu-viewer-message">
        <p>{texts.noText}</p>
        <button type="button" className="mu-viewer-button" onClick={onPages}>
          {texts.pageView}
        </button>
      </div>
    );
  return (
    <div
      ref={root}
      className="mu-viewer-reading"
      data-spacing={spacing}
      style={colours === "auto" ? undefined : { colorScheme: colours }}
    >
      <ReadingTools {...{ root, texts, lang, locale, preferences }} partly={doubts.length > 0} />
      <p className="mu-viewer-note" lang={locale}>
        {texts.readingNote} {!isChecked && `${texts.uncheckedNote} `}
        <button type="button" className="mu-viewer-link" onClick={onPages}>
          {texts.pageView}
        </button>
      </p>
      {parts}
    </div>
  );
}

interface Part {
  readonly blocks: readonly Block[];
  /** The index of the first block in the document. */
  readonly first: number;
  readonly page: number;
  readonly doubt?: Doubt;
}

/** Splits the blocks into parts. Each doubtful page is a separate part, and the pages between are one part. */
export function byPage(blocks: readonly Block[], doubts: readonly Doubt[]): Part[] {
  const doubtOf = new Map(doubts.map((doubt) => [doubt.page, doubt]));
  const parts: Part[] = [];
  const add = (page: number, first: number, pageBlocks: readonly Block[]) => {
    const doubt = doubtOf.get(page);
    const last = parts.at(-1);
    if (last && !doubt && !last.doubt)
      parts[parts.length - 1] = { ...last, blocks: [...last.blocks, ...pageBlocks] };
    else if (pageBlocks.length || doubt)
      parts.push({ blocks: pageBlocks, first, page, ...(doubt && { doubt }) });
  };
  let at = 0;
  const last = Math.max(1, ...blocks.map((block) => block.page), ...doubtOf.keys());
  for (let page = 1; page <= last; page++) {
    const first = at;
    // Includes every block, even if the pages are not in order.
    for (let block = blocks[at]; block && block.page <= page; block = blocks[at]) at++;
    add(page, first, blocks.slice(first, at));
  }
  return parts;
}
