import { type ReactNode, useId } from "react";
import type { Flag, FlagsDocument } from "../../configuration/document/document";
import { ErrorList } from "../../configuration/review/error-list";
import { timeZone } from "../../language/dates";
import { InstantField } from "../../ui/instant-field";
import { FailureText } from "../../ui/states";
import { useFlagsTexts } from "../texts/texts";
import { Examples } from "./examples";
import { PersonFields } from "./person-fields";
import styles from "./preview.module.css";
import { useReason } from "./reason";
import { TraceList } from "./trace-list";
import type { PreviewState } from "./use-preview-state";

interface PreviewProps {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly state: PreviewState;
  /** In a sheet, the result is on the handle, where it can be read while the sheet is closed. */
  readonly isSheet?: boolean;
}

/** What one person gets from the flag with its unsaved changes, and why. */
export function Preview({ flag, document, state, isSheet }: PreviewProps) {
  const { preview: previewTexts } = useFlagsTexts();
  const id = useId();
  const { person, setPerson, at, setAt, preview } = state;
  return (
    <div className={styles.preview}>
      {!isSheet && <h2>{previewTexts.title}</h2>}
      {!isSheet && <Verdict flag={flag} document={document} state={state} />}
      <PersonFields
        document={document}
        names={Object.keys(preview.result?.relevantContext ?? {})}
        person={person}
        onChange={setPerson}
      />
      <div className="field">
        <label htmlFor={id}>{previewTexts.at}</label>
        <span id={id}>
          <InstantField label={previewTexts.at} value={at} onChange={setAt} />
        </span>
        <p className="note">{previewTexts.atHint(timeZone())}</p>
      </div>
      <Examples person={person} onChoose={setPerson} />
      {preview.result?.trace && preview.result.trace.length > 0 && (
        <TraceList flag={flag} document={document} steps={preview.result.trace} />
      )}
    </div>
  );
}

/** One sentence, "This person gets …, because …", which the closed sheet on a phone shows as well. */
export function Verdict({ flag, document, state }: PreviewProps): ReactNode {
  const { preview: previewTexts } = useFlagsTexts();
  const reason = useReason(flag, document);
  const { result, errors, others, error, isSettled } = state.preview;
  if (error) return <FailureText error={error} />;
  if (others.length > 0 && errors.length === 0) {
    return <ErrorList document={document} errors={others} />;
  }
  if (errors.length > 0) return <p className={styles.verdict}>{previewTexts.invalid}</p>;
  if (!result) return <p className={`${styles.verdict} note`}>{previewTexts.asking}</p>;
  return (
    <div className={styles.verdict} role="status" aria-busy={!isSettled || undefined}>
      <p>
        {previewTexts.gets} <strong>{result.variationKey ?? previewTexts.nothing}</strong>
        {result.variationKey !== null && <code dir="ltr">{JSON.stringify(result.variation)}</code>}
      </p>
      <p className="note">{reason(result)}</p>
    </div>
  );
}
