import { createElement, Fragment, type ReactNode } from "react";
import type { ViewerTexts } from "../../texts/texts";
import type { Block, Cell, ManifestPage } from "../manifest";
import { Figure } from "./figure";

export interface RenderContext {
  readonly pages: readonly ManifestPage[];
  readonly base: string;
  readonly texts: ViewerTexts;
  readonly zoom: number;
  /** The language of the texts. The document may be in another language. */
  readonly locale: string | undefined;
}

interface BlocksProps extends RenderContext {
  readonly blocks: readonly Block[];
  /** The index of the first block in the document. */
  readonly first: number;
  /** Whether the text may differ from the page, so that it is not evidence that the page was seen. */
  readonly unproven?: boolean;
}

/** A block with its index in the document. */
interface IndexedBlock {
  readonly block: Block;
  readonly at: number;
}

export function Blocks({ blocks, first, unproven, ...shown }: BlocksProps) {
  const numbered = blocks.map((block, index) => ({ block, at: first + index }));
  const render = (items: readonly IndexedBlock[]): ReactNode =>
    groupAdjacent(items, (item) => isListed(item.block)).map((group) =>
      group[0] && isListed(group[0].block) ? (
        <List key={group[0].at} items={group} render={renderBlock} />
      ) : (
        group.map(renderBlock)
      ),
    );
  const renderBlock = ({ block, at }: IndexedBlock): ReactNode => (
    <BlockView key={at} {...{ block, at }} unproven={unproven ?? false} {...shown} />
  );
  return frames(numbered).map(({ framed, items }) =>
    framed === undefined ? (
      <Fragment key={items[0]?.at}>{render(items)}</Fragment>
    ) : (
      <div key={items[0]?.at} className="mu-viewer-framed" dir={items[0]?.block.dir}>
        {render(items)}
      </div>
    ),
  );
}

interface BlockViewProps extends RenderContext {
  readonly block: Block;
  readonly at: number;
  readonly unproven: boolean;
}

function BlockView({ block, at, unproven, ...shown }: BlockViewProps) {
  const place = {
    dir: block.dir,
    "data-block": at,
    ...(!unproven && { "data-page": block.page }),
  };
  if (block.kind === "table")
    return (
      // biome-ignore lint/a11y/useSemanticElements: a scrollable table is not a form
      <div
        role="group"
        aria-label={shown.texts.table}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
        tabIndex={0}
        className="mu-viewer-table"
        {...place}
      >
        <Table rows={block.rows ?? []} />
      </div>
    );
  const page = shown.pages[block.page - 1];
  if (block.kind === "figure" && block.area && page) {
    const label = block.marked ? shown.texts.marked(block.page) : shown.texts.figure(block.page);
    return (
      <figure {...place}>
        {block.marked && (
          // The picture has the same name.
          <figcaption className="mu-viewer-note" lang={shown.locale} aria-hidden="true">
            {label}
          </figcaption>
        )}
        <Figure
          {...shown}
          number={block.page}
          page={page}
          area={block.area}
          cut={block.cut}
          alt={block.text ? `${label}: ${block.text}` : label}
        />
        {/* Screen readers read the `alt` text. This copy makes the figure searchable. */}
        <span className="mu-hidden" aria-hidden="true">
          {block.text}
        </span>
      </figure>
    );
  }
  if (block.kind === "heading")
    return createElement(`h${Math.min(6, (block.level ?? 1) + 1)}`, place, block.text);
  const name = CLASSES[block.kind];
  return (
    <p {...(name && { className: name })} {...place}>
      {block.text}
    </p>
  );
}

const CLASSES: { readonly [kind: string]: string } = {
  note: "mu-viewer-footnote",
  margin: "mu-viewer-margin",
};

function Table({ rows }: { readonly rows: readonly (readonly Cell[])[] }) {
  return (
    <table>
      <tbody>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <tr key={at}>
            {row.map((cell, column) => {
              const Tag = cell.head ? "th" : "td";
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
                <Tag key={column} dir={cell.dir} colSpan={cell.columns ?? 1}>
                  {cell.text}
                </Tag>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isListed = (block: Block) =>
  block.kind === "item" || (block.kind === "paragraph" && (block.depth ?? 0) > 0);

interface ListProps {
  readonly items: readonly IndexedBlock[];
  readonly render: (item: IndexedBlock) => ReactNode;
}

/** Renders adjacent items as one list, so that screen readers announce its length. */
function List({ items, render }: ListProps) {
  const depth = items[0]?.block.depth ?? 1;
  const numbered = !!numberOf(items[0]?.block);
  const Tag = numbered ? "ol" : "ul";
  // An item contains the deeper blocks after it: paragraphs and lists.
  const listItems = itemsOf(items, depth);
  return (
    <Tag dir={items[0]?.block.dir}>
      {listItems.map(({ item, more }) => (
        <li
          key={item.at}
          dir={item.block.dir}
          data-block={item.at}
          data-page={item.block.page}
          data-marker={item.block.marker}
        >
          {textWithNumber(item.block)}
          {groupAdjacent(more, (indexed) => indexed.block.kind === "item").map((group) =>
            group[0]?.block.kind === "item" ? (
              <List key={group[0].at} items={group} render={render} />
            ) : (
              group.map(render)
            ),
          )}
        </li>
      ))}
    </Tag>
  );
}

/** Returns the marker of an item if it is a number or a letter. */
const numberOf = (block: Block | undefined) =>
  /[\p{L}\p{N}]/u.test(block?.marker ?? "") ? block?.marker : undefined;

/** Returns the text of an item with its number, because contracts are cited by it. One text, so that search finds it. */
function textWithNumber(block: Block): string {
  const { text } = block;
  const number = numberOf(block);
  return number && !text.startsWith(number) ? `${number} ${text}` : text;
}

function itemsOf(items: readonly IndexedBlock[], depth: number) {
  const own: { item: IndexedBlock; more: IndexedBlock[] }[] = [];
  for (const item of items) {
    const isDeeper = item.block.kind !== "item" || (item.block.depth ?? 1) > depth;
    const last = own.at(-1);
    if (last && isDeeper) last.more.push(item);
    else own.push({ item, more: [] });
  }
  return own;
}

/** Groups adjacent elements for which `alike` returns the same. */
function groupAdjacent<T>(all: readonly T[], alike: (item: T) => boolean): T[][] {
  const groups: T[][] = [];
  for (const renderBlock of all) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && alike(last[0]) === alike(renderBlock)) last.push(renderBlock);
    else groups.push([renderBlock]);
  }
  return groups;
}

function frames(all: readonly IndexedBlock[]) {
  const result: { framed: number | undefined; items: IndexedBlock[] }[] = [];
  for (const item of all) {
    const { framed } = item.block;
    const last = result.at(-1);
    if (last && last.framed === framed) last.items.push(item);
    else result.push({ framed, items: [item] });
  }
  return result;
}
