import { type RefCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { ViewerTexts } from "../../texts/texts";
import type { Block, Doubt, ManifestPage } from "../manifest";
import { elementAt } from "../zoom";
import { Blocks } from "./blocks";
import { DoubtfulPage } from "./doubtful-page";
import { keepPlace, keptPlace } from "./kept-place";
import { usePreferences } from "./preferences";
import { ReadingTools } from "./reading-tools";

interface ReadingProps {
  readonly blocks: readonly Block[];
  readonly doubts: readonly Doubt[] | undefined;
  readonly pages: readonly ManifestPage[];
  /** The address of the manifest, which names the document. */
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

/** Below the tools, where somebody reads on. */
const TOP_PX = 65;

/** The words alone, in the reader's own size: a page of A4 on a phone is print of five pixels. */
export function Reading(props: ReadingProps) {
  const { blocks, doubts = NONE, pages, base, start, texts, lang, locale, zoom } = props;
  const { onZoom, onPages } = props;
  const root = useRef<HTMLDivElement>(null);
  const preferences = usePreferences();
  const { spacing, colours, size, set } = preferences;

  const sized = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it was left, then as it is made
  useLayoutEffect(() => {
    if (sized.current) set({ size: zoom });
    else onZoom(size);
    sized.current = true;
  }, [zoom]);

  useEffect(() => {
    const surface = root.current?.closest("section");
    if (!root.current || !surface) return;
    const kept = keptPlace(base);
    const there = root.current.querySelector<HTMLElement>(`[data-block="${kept?.block}"]`);
    const top = () => surface.getBoundingClientRect().top + TOP_PX;
    // Empty unless somebody has read on since the document was opened, maybe among its pages.
    const page = root.current.closest("dialog")?.dataset.at;
    if (!kept || !there || (page && page !== there.dataset.page)) start(root.current);
    else {
      const box = there.getBoundingClientRect();
      surface.scrollBy(0, box.top + kept.down * box.height - top());
    }
    const keep = () => {
      const element = elementAt(surface, top());
      const box = element?.getBoundingClientRect();
      const block = element?.dataset.block;
      if (block && box?.height) keepPlace(base, { block, down: (top() - box.top) / box.height });
    };
    surface.addEventListener("scroll", keep, { passive: true });
    return () => surface.removeEventListener("scroll", keep);
  }, [base, start]);

  // A document of 300 pages has thousands of them, and the viewer draws itself anew at each page.
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
        {texts.readingNote}{" "}
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
  /** The place of the first one in the document. */
  readonly first: number;
  readonly page: number;
  readonly doubt?: Doubt;
}

/** The pages that are doubtful stand apart; the others run on. */
export function byPage(blocks: readonly Block[], doubts: readonly Doubt[]): Part[] {
  const doubtOf = new Map(doubts.map((doubt) => [doubt.page, doubt]));
  const parts: Part[] = [];
  const add = (page: number, first: number, its: readonly Block[]) => {
    const doubt = doubtOf.get(page);
    const last = parts.at(-1);
    if (last && !doubt && !last.doubt)
      parts[parts.length - 1] = { ...last, blocks: [...last.blocks, ...its] };
    else if (its.length || doubt) parts.push({ blocks: its, first, page, ...(doubt && { doubt }) });
  };
  let at = 0;
  const last = Math.max(1, ...blocks.map((block) => block.page), ...doubtOf.keys());
  for (let page = 1; page <= last; page++) {
    const first = at;
    // Nothing is left out, even if the pages were in another order.
    for (let block = blocks[at]; block && block.page <= page; block = blocks[at]) at++;
    add(page, first, blocks.slice(first, at));
  }
  return parts;
}
