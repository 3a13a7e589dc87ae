import { createElement, type RefCallback } from "react";
import type { ViewerTexts } from "../texts/texts";
import type { Block } from "./manifest";

interface ReadingProps {
  readonly blocks: readonly Block[];
  readonly start: RefCallback<HTMLElement>;
  readonly texts: ViewerTexts;
  readonly onPages: () => void;
}

/** The words alone, in the reader's own size: a page of A4 on a phone is print of five pixels. */
export function Reading({ blocks, start, texts, onPages }: ReadingProps) {
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
    <div className="mu-viewer-reading" ref={start}>
      {grouped(blocks).map((group, index) =>
        group[0]?.kind === "item" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <ul key={index}>{group.map(element)}</ul>
        ) : (
          group.map((block) => element(block, index))
        ),
      )}
    </div>
  );
}

function element(block: Block, key: number) {
  const tag =
    block.kind === "heading" ? `h${(block.level ?? 1) + 1}` : block.kind === "item" ? "li" : "p";
  return createElement(tag, { key, dir: block.dir, "data-page": block.page }, block.text);
}

/** Neighbouring items make one list, so that a screen reader can say how long it is. */
export function grouped(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind === "item" && last?.[0]?.kind === "item") last.push(block);
    else groups.push([block]);
  }
  return groups;
}
