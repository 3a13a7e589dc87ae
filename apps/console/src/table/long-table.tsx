import { Button } from "@musette/react/ui";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLanguage } from "../language/language-context";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Of the whole, as `20%`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
}

interface LongTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly isMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

const ROW_PX = 48;
/** So many rows before its end the next page is fetched. */
const AHEAD = 20;

/** A list of any length that scrolls with the page: only the rows in view are there. */
export function LongTable<Row>(props: LongTableProps<Row>) {
  const { texts } = useLanguage();
  const { columns, rows, isMore, isLoading, onMore } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    setOffset((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);

  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: offset,
  });
  const shown = virtual.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && isMore && !isLoading) onMore();
  }, [isNearEnd, isMore, isLoading, onMore]);

  const before = (shown[0]?.start ?? offset) - offset;
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? offset) - offset);
  return (
    <>
      <table className="table" aria-rowcount={isMore ? -1 : rows.length + 1}>
        <caption className="mu-hidden">{props.label}</caption>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} style={{ inlineSize: width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ id, title }) => (
              <th key={id} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
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
      </table>
      {isMore && (
        <Button kind="secondary" loading={isLoading} onClick={onMore}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

/** Stands for the rows that are not there. */
function Space({ blockSize }: { readonly blockSize: number }) {
  return blockSize > 0 && <tr className="space" style={{ blockSize }} />;
}
