import { createContext, use } from "react";
import fieldStyles from "../../ui/fields.module.css";
import type { Fault } from "../document/faults";
import { useReviewTexts } from "../review/texts/texts";

/** The errors of the edited object, with pointers relative to it. */
export const FaultsContext = createContext<readonly Fault[]>([]);

export function useFaults(at: string, isDeep = false): readonly Fault[] {
  return use(FaultsContext).filter(
    ({ pointer }) => pointer === at || (isDeep && pointer.startsWith(`${at}/`)),
  );
}

/** The error of a field. */
export function FaultText(props: {
  readonly id?: string;
  readonly at: string;
  readonly isDeep?: boolean;
}) {
  const texts = useReviewTexts();
  const faults = useFaults(props.at, props.isDeep);
  if (faults.length === 0) return null;
  return (
    <p id={props.id} className={fieldStyles.fault}>
      {faults.map(({ code, detail, pointer }) => (
        <span key={`${pointer} ${code}`}>
          {texts.faultCodes[code] ?? detail}
          {texts.faultCodes[code] && (
            <small>
              <bdi>{detail}</bdi>
            </small>
          )}
        </span>
      ))}
    </p>
  );
}
