import { useLanguage } from "../language/language-context";

/** Stands where a list will be, as large as it will be, so that nothing jumps. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const { texts } = useLanguage();
  return (
    <div className="skeleton" role="status">
      <span className="mu-hidden">{texts.loading}</span>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place
        <span key={at} aria-hidden="true" />
      ))}
    </div>
  );
}
