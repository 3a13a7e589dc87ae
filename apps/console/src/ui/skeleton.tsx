import { useLanguage } from "../language/language-context";

/** Placeholder rows, against layout shift. */
export function Skeleton({ rows = 5 }: { readonly rows?: number }) {
  const { texts } = useLanguage();
  return (
    <div role="status" className="card skeleton">
      <span className="mu-hidden">{texts.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and none ever moves
        <span key={row} className="skeleton-bar" aria-hidden="true" />
      ))}
    </div>
  );
}
