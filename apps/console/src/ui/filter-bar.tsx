import type { FormEvent, ReactNode } from "react";
import { useLanguage } from "../language/language-context";
import filterStyles from "./filter.module.css";
import quietStyles from "./quiet-button.module.css";
import { TABLE, useMedia } from "./use-media";

interface FilterBarProps {
  /** The number of filters that are set. On a phone it is the sign that rows are hidden. */
  readonly count: number;
  /** A search field that is visible on a phone as well. */
  readonly search?: ReactNode;
  readonly onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  readonly clear?: { readonly label: string; readonly run: () => void };
  readonly children: ReactNode;
}

/** The filters of a list: one row, or behind a button on a phone, where the rows come first. */
export function FilterBar({ count, search, onSubmit, clear, children }: FilterBarProps) {
  const { texts, language } = useLanguage();
  const isWide = useMedia(TABLE);
  const fields = (
    <>
      {children}
      {clear && count > 0 && (
        <button type="button" className={quietStyles.quiet} onClick={clear.run}>
          {clear.label}
        </button>
      )}
    </>
  );
  return (
    <search>
      <form className={filterStyles.bar} onSubmit={onSubmit ?? ((event) => event.preventDefault())}>
        {search}
        {isWide ? (
          fields
        ) : (
          <details className={filterStyles.more}>
            <summary>{texts.filters(count, count.toLocaleString(language.tag))}</summary>
            <div className={filterStyles.bar}>{fields}</div>
          </details>
        )}
        {/* Without a submit button, Enter in one of several fields submits nothing. */}
        <input type="submit" hidden />
      </form>
    </search>
  );
}
