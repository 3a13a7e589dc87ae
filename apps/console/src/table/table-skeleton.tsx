import skeletonStyles from "../ui/skeleton.module.css";
import type { Heading } from "./table-head";

const ROWS = ["a", "b", "c", "d", "e", "f"];

/** Placeholder rows. */
export function TableSkeleton({ columns }: { readonly columns: readonly Heading[] }) {
  return (
    <tbody aria-hidden="true">
      {ROWS.map((row) => (
        <tr key={row}>
          {columns.map(({ id }) => (
            <td key={id}>
              <span className={skeletonStyles.bar} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
