import type { FlagsDocument } from "../document/document";
import { type Fault, placeOf } from "../document/faults";
import styles from "./review.module.css";
import { useReviewTexts } from "./texts/texts";

const SHOWN = 50;

/** Lists all errors of a configuration, with their objects. */
export function FaultList(props: {
  readonly document: FlagsDocument;
  readonly faults: readonly Fault[];
}) {
  const { document, faults } = props;
  const texts = useReviewTexts();
  return (
    <div className="failure" role="alert">
      <strong>{texts.faults(faults.length)}</strong>
      <ul className={styles.faultList}>
        {faults.slice(0, SHOWN).map((fault) => {
          const place = placeOf(document, fault.pointer);
          return (
            <li key={`${fault.pointer} ${fault.code}`}>
              {place && (
                <>
                  {texts.sections[place.section]} <bdi className="mono">{place.key}</bdi>:{" "}
                </>
              )}
              {texts.faultCodes[fault.code] ?? fault.detail}
              <small>
                <bdi>{fault.detail}</bdi>
              </small>
              <code dir="ltr">{fault.pointer || "/"}</code>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
