import { Skeleton } from "./skeleton";

/** While the code and the words of a page are on their way. */
export function PagePending() {
  return (
    <div className="page-pending">
      <span className="skeleton-bar" aria-hidden="true" />
      <Skeleton rows={6} />
    </div>
  );
}
