import { useLanguage } from "../language/language-context";
import skeletonStyles from "./skeleton.module.css";

/** Placeholder rows, which prevent layout shifts. */
export function Skeleton({ rows = 5 }: { readonly rows?: number }) {
  const { texts } = useLanguage();
  return (
    <div role="status" className={`card ${skeletonStyles.skeleton}`}>
      <span className="mu-hidden">{texts.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and none ever moves
        <span key={row} className={skeletonStyles.bar} aria-hidden="true" />
      ))}
    </div>
  );
}
