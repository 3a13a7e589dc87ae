import { Button } from "@musette/react/ui";
import type { ReactNode } from "react";
import { useLanguage } from "../language/language-context";
import { Icon } from "../ui/icon";
import iconButtonStyles from "../ui/icon-button.module.css";
import styles from "./systems.module.css";
import { useSystemsTexts } from "./texts/texts";

interface RowsProps {
  readonly title: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly count: number;
  readonly row: (place: number) => ReactNode;
  /** Absent in a translation, whose lists follow the description. */
  readonly onAdd?: () => void;
  readonly onRemove?: (place: number) => void;
}

/** A list of fields with as many rows as the list has items. */
export function Rows({ title, hint, error, count, row, onAdd, onRemove }: RowsProps) {
  const texts = useSystemsTexts();
  const { tag } = useLanguage().language;
  return (
    <fieldset className={styles.rows}>
      <legend>{title}</legend>
      {hint && <p className="note">{hint}</p>}
      {count > 0 && (
        <ol>
          {Array.from({ length: count }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity
            <li key={place}>
              <div className={styles.row}>{row(place)}</div>
              {onRemove && (
                <button
                  type="button"
                  className={iconButtonStyles.iconButton}
                  aria-label={`${title}: ${texts.removeItem((place + 1).toLocaleString(tag))}`}
                  onClick={() => onRemove(place)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
      {error && (
        <p className="failure" role="alert">
          {error}
        </p>
      )}
      {onAdd && (
        <Button kind="secondary" aria-label={`${title}: ${texts.addItem}`} onClick={onAdd}>
          {texts.addItem}
        </Button>
      )}
    </fieldset>
  );
}
