import { Skeleton } from "./skeleton";
import skeletonStyles from "./skeleton.module.css";

/** Shown while the code and the texts of a page load. */
export function PagePending() {
  return (
    <div className={skeletonStyles.page}>
      <span className={skeletonStyles.bar} aria-hidden="true" />
      <Skeleton rows={6} />
    </div>
  );
}
