/** The sort parameter of an address: `name` ascending, `-name` descending. */
export interface Sort {
  readonly column: string;
  readonly isDown: boolean;
}

/** Reads the sort parameter; undefined if it names none of these columns. */
export const sortBy =
  (columns: readonly string[]) =>
  (value: unknown): string | undefined =>
    typeof value === "string" && columns.includes(sortOf(value)?.column ?? "") ? value : undefined;

export function sortOf(written: string | undefined): Sort | undefined {
  if (!written) return undefined;
  const isDown = written.startsWith("-");
  return { column: isDown ? written.slice(1) : written, isDown };
}

/** Returns the order after a press of a column's header: ascending, descending, unsorted. */
export function nextSort(written: string | undefined, column: string): string | undefined {
  const sort = sortOf(written);
  if (sort?.column !== column) return column;
  return sort.isDown ? undefined : `-${column}`;
}

/** Sorts rows; those without a value come last in both directions. */
export function sorted<Row>(
  rows: readonly Row[],
  written: string | undefined,
  by: Readonly<Record<string, (row: Row) => string | number | undefined>>,
  tag: string,
): readonly Row[] {
  const sort = sortOf(written);
  const value = sort && by[sort.column];
  if (!value) return rows;
  const { compare } = new Intl.Collator(tag, { numeric: true });
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    const order = typeof a === "number" && typeof b === "number" ? a - b : compare(`${a}`, `${b}`);
    return sort.isDown ? -order : order;
  });
  return keyed.map(({ row }) => row);
}
