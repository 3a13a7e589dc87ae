import { createContext, use } from "react";
import fieldStyles from "../../ui/fields.module.css";
import type { ConfigurationError } from "../document/errors";
import { useReviewTexts } from "../review/texts/texts";

/** The errors of the edited object, with pointers relative to it. */
export const FieldErrorsContext = createContext<readonly ConfigurationError[]>([]);

export function useFieldErrors(at: string, isDeep = false): readonly ConfigurationError[] {
  return use(FieldErrorsContext).filter(
    ({ pointer }) => pointer === at || (isDeep && pointer.startsWith(`${at}/`)),
  );
}

/** The error of a field. */
export function FieldErrors(props: {
  readonly id?: string;
  readonly at: string;
  readonly isDeep?: boolean;
}) {
  const texts = useReviewTexts();
  const errors = useFieldErrors(props.at, props.isDeep);
  if (errors.length === 0) return null;
  return (
    <p id={props.id} className={fieldStyles.error}>
      {errors.map(({ code, detail, pointer }) => (
        <span key={`${pointer} ${code}`}>
          {texts.errorCodes[code] ?? detail}
          {texts.errorCodes[code] && (
            <small>
              <bdi>{detail}</bdi>
            </small>
          )}
        </span>
      ))}
    </p>
  );
}
