import { createElement, Fragment, type ReactNode } from "react";
import type { ViewerTexts } from "../../texts/texts";
import type { Block, Cell, ManifestPage } from "../manifest";
import { Figure } from "./figure";

export interface Shown {
  readonly pages: readonly ManifestPage[];
  readonly base: string;
  readonly texts: ViewerTexts;
  readonly zoom: number;
  /** The language of the texts; the document may be in another. */
  readonly locale: string | undefined;
}

interface BlocksProps extends Shown {
  readonly blocks: readonly Block[];
  /** The place of the first one in the document. */
  readonly first: number;
  /** Their text is not the page's, so it is no proof that the page was seen. */
  readonly unproven?: boolean;
}

/** A block with its place in the document. */
interface Numbered {
  readonly block: Block;
  readonly at: number;
}

export function Blocks({ blocks, first, unproven, ...shown }: BlocksProps) {
  const numbered = blocks.map((block, index) => ({ block, at: first + index }));
  const paint = (its: readonly Numbered[]): ReactNode =>
    grouped(its, (it) => isListed(it.block)).map((group) =>
      group[0] && isListed(group[0].block) ? (
        <List key={group[0].at} items={group} paint={one} />
      ) : (
        group.map(one)
      ),
    );
  const one = ({ block, at }: Numbered): ReactNode => (
    <One key={at} {...{ block, at }} unproven={unproven ?? false} {...shown} />
  );
  return frames(numbered).map(({ framed, its }) =>
    framed === undefined ? (
      <Fragment key={its[0]?.at}>{paint(its)}</Fragment>
    ) : (
      <div key={its[0]?.at} className="mu-viewer-framed" dir={its[0]?.block.dir}>
        {paint(its)}
      </div>
    ),
  );
}

interface OneProps extends Shown {
  readonly block: Block;
  readonly at: number;
  readonly unproven: boolean;
}

function One({ block, at, unproven, ...shown }: OneProps) {
  const place = {
    dir: block.dir,
    "data-block": at,
    ...(!unproven && { "data-page": block.page }),
  };
  if (block.kind === "table")
    return (
      // biome-ignore lint/a11y/useSemanticElements: a table that scrolls is no form
      <div
        role="group"
        aria-label={shown.texts.table}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="mu-viewer-table"
        {...place}
      >
        <Table rows={block.rows ?? []} />
      </div>
    );
  const page = shown.pages[block.page - 1];
  if (block.kind === "figure" && block.area && page) {
    const label = shown.texts.figure(block.page);
    return (
      <figure {...place}>
        <Figure
          {...shown}
          number={block.page}
          page={page}
          area={block.area}
          alt={block.text ? `${label}: ${block.text}` : label}
        />
        {/* Said by the picture's name. Here it can be found, which then leads to the picture. */}
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
  readonly items: readonly Numbered[];
  readonly paint: (it: Numbered) => ReactNode;
}

/** Neighbouring items make one list, so that a screen reader can say how long it is. */
function List({ items, paint }: ListProps) {
  const depth = items[0]?.block.depth ?? 1;
  const numbered = !!numberOf(items[0]?.block);
  const Tag = numbered ? "ol" : "ul";
  // An item has what follows it further in: more paragraphs, and lists.
  const own = itemsOf(items, depth);
  return (
    <Tag dir={items[0]?.block.dir}>
      {own.map(({ item, more }) => (
        <li
          key={item.at}
          dir={item.block.dir}
          data-block={item.at}
          data-page={item.block.page}
          data-marker={item.block.marker}
        >
          {wording(item.block)}
          {grouped(more, (it) => it.block.kind === "item").map((group) =>
            group[0]?.block.kind === "item" ? (
              <List key={group[0].at} items={group} paint={paint} />
            ) : (
              group.map(paint)
            ),
          )}
        </li>
      ))}
    </Tag>
  );
}

/** The marker of an item, unless it is a sign. */
const numberOf = (block: Block | undefined) =>
  /[\p{L}\p{N}]/u.test(block?.marker ?? "") ? block?.marker : undefined;

/** With its number: contracts are cited by it. In one piece, so that it can be found. */
function wording(block: Block): string {
  const { text } = block;
  const number = numberOf(block);
  return number && !text.startsWith(number) ? `${number} ${text}` : text;
}

function itemsOf(items: readonly Numbered[], depth: number) {
  const own: { item: Numbered; more: Numbered[] }[] = [];
  for (const it of items) {
    const deeper = it.block.kind !== "item" || (it.block.depth ?? 1) > depth;
    const last = own.at(-1);
    if (last && deeper) last.more.push(it);
    else own.push({ item: it, more: [] });
  }
  return own;
}

/** Neighbours that are alike, together. */
function grouped<T>(all: readonly T[], alike: (one: T) => boolean): T[][] {
  const groups: T[][] = [];
  for (const one of all) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && alike(last[0]) === alike(one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function frames(all: readonly Numbered[]) {
  const found: { framed: number | undefined; its: Numbered[] }[] = [];
  for (const it of all) {
    const { framed } = it.block;
    const last = found.at(-1);
    if (last && last.framed === framed) last.its.push(it);
    else found.push({ framed, its: [it] });
  }
  return found;
}
