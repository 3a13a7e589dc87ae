import type { FlagsDocument } from "../document/document";
import { type ConfigurationError, placeOf } from "../document/errors";
import styles from "./review.module.css";
import { useReviewTexts } from "./texts/texts";

const SHOWN = 50;

/** Lists all errors of a configuration, with their objects. */
export function ErrorList(props: {
  readonly document: FlagsDocument;
  readonly errors: readonly ConfigurationError[];
}) {
  const { document, errors } = props;
  const texts = useReviewTexts();
  return (
    <div className="failure" role="alert">
      <strong>{texts.errors(errors.length)}</strong>
      <ul className={styles.errorList}>
        {errors.slice(0, SHOWN).map((error) => {
          const place = placeOf(document, error.pointer);
          return (
            <li key={`${error.pointer} ${error.code}`}>
              {place && (
                <>
                  {texts.sections[place.section]} <bdi className="mono">{place.key}</bdi>:{" "}
                </>
              )}
              {texts.errorCodes[error.code] ?? error.detail}
              <small>
                <bdi>{error.detail}</bdi>
              </small>
              <code dir="ltr">{error.pointer || "/"}</code>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
