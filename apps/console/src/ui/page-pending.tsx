import { Skeleton } from "./skeleton";

/** Shown while the code and the texts of a page load. */
export function PagePending() {
  return (
    <div className="page-pending">
      <span className="skeleton-bar" aria-hidden="true" />
      <Skeleton rows={6} />
    </div>
  );
}
