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
  const words = useReviewTexts();
  return (
    <div className="failure" role="alert">
      <strong>{words.faults(faults.length)}</strong>
      <ul className={styles.faultList}>
        {faults.slice(0, SHOWN).map((fault) => {
          const place = placeOf(document, fault.pointer);
          return (
            <li key={`${fault.pointer} ${fault.code}`}>
              {place && (
                <>
                  {words.sections[place.section]} <bdi className="mono">{place.key}</bdi>:{" "}
                </>
              )}
              {words.faultCodes[fault.code] ?? fault.detail}
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
