import type { Heading } from "./table-head";

const ROWS = ["a", "b", "c", "d", "e", "f"];

/** The places of the rows that are on their way. */
export function TableSkeleton({ columns }: { readonly columns: readonly Heading[] }) {
  return (
    <tbody aria-hidden="true">
      {ROWS.map((row) => (
        <tr key={row}>
          {columns.map(({ id }) => (
            <td key={id}>
              <span className="skeleton-bar" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
