import { Button } from "@musette/react/ui";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLanguage } from "../language/language-context";
import { COMFORTABLE_PX, COMPACT_PX, useIsComfortable } from "./row-height";
import { useRowKeys } from "./row-keys";
import tableStyles from "./table.module.css";
import { type Heading, SortSelect, TableHead } from "./table-head";
import { TableSkeleton } from "./table-skeleton";

export interface Column<Row> extends Heading {
  /** As a share of the table, such as `20%`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
}

interface LongTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly isMore?: boolean;
  /** Shows placeholder rows as long as there are none. */
  readonly isLoading?: boolean;
  readonly onMore?: () => void;
  /** As in the address. The caller sorts the rows (`sort.ts`). */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string | undefined) => void;
}

/** The next page is fetched this many rows before the end. */
const AHEAD = 20;

/** A virtual table that scrolls with the page: only the visible rows are rendered. */
export function LongTable<Row>(props: LongTableProps<Row>) {
  const { texts } = useLanguage();
  const { columns, rows, isMore, isLoading = false, onMore, sort, onSort } = props;
  const isEmpty = rows.length === 0 && isLoading;
  const sorting = { columns, sort, onSort };
  return (
    <>
      <SortSelect {...sorting} />
      <table
        className={`${tableStyles.table} ${tableStyles.list}`}
        aria-rowcount={isMore || isEmpty ? -1 : rows.length + 1}
        aria-busy={isEmpty}
      >
        <caption className="mu-hidden">{props.label}</caption>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} style={{ inlineSize: width }} />
          ))}
        </colgroup>
        <TableHead {...sorting} />
        {isEmpty ? <TableSkeleton columns={columns} /> : <RowsInView {...props} />}
      </table>
      {isEmpty && (
        <p role="status" className="mu-hidden">
          {texts.loading}
        </p>
      )}
      {isMore && !isEmpty && (
        <Button kind="secondary" loading={isLoading} onClick={onMore}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

function RowsInView<Row>(props: LongTableProps<Row>) {
  const { columns, rows, isMore, isLoading, onMore } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    setOffset((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);

  const isComfortable = useIsComfortable();
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isComfortable ? COMFORTABLE_PX : COMPACT_PX),
    overscan: 12,
    scrollMargin: offset,
  });
  const shown = virtual.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && isMore && !isLoading) onMore?.();
  }, [isNearEnd, isMore, isLoading, onMore]);

  const { current, handlers } = useRowKeys({
    body,
    count: rows.length,
    scrollTo: virtual.scrollToIndex,
  });
  // If the current row is scrolled out of view, the first rendered row is in the tab order.
  const reachable = shown.some(({ index }) => index === current) ? current : shown[0]?.index;
  const before = (shown[0]?.start ?? offset) - offset;
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? offset) - offset);
  return (
    <tbody ref={body} {...handlers} onPointerOver={showCutText}>
      <Space blockSize={before} />
      {shown.map(({ index }) => {
        const row = rows[index];
        return (
          row && (
            <tr
              key={props.rowKey(row)}
              ref={virtual.measureElement}
              data-index={index}
              aria-rowindex={index + 2}
              tabIndex={index === reachable ? 0 : -1}
            >
              {columns.map(({ id, title, cell }) => (
                <td key={id} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          )
        );
      })}
      <Space blockSize={after} />
    </tbody>
  );
}

/** A row has one line. The pointer shows the whole text of a cell that is cut. */
function showCutText({ target }: { readonly target: EventTarget }): void {
  const cell = target instanceof Element ? target.closest("td") : null;
  if (!cell || cell.title) return;
  const parts = [cell, ...cell.querySelectorAll("*")];
  if (parts.some(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)) {
    cell.title = cell.innerText.replaceAll(/\s+/g, " ");
  }
}

/** Takes the space of the rows that are not rendered. */
function Space({ blockSize }: { readonly blockSize: number }) {
  return blockSize > 0 && <tr className={tableStyles.space} style={{ blockSize }} />;
}
