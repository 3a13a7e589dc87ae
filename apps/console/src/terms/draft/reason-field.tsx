import { Field } from "../../ui/field";
import { useTermsTexts } from "../texts/texts";
import type { Obstacle } from "./obstacles";

interface ReasonFieldProps {
  readonly obstacle: Obstacle;
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** Asks for the reason for publishing despite a problem. The audit log keeps the answer. */
export function ReasonField({ obstacle, value, onChange }: ReasonFieldProps) {
  const draftTexts = useTermsTexts().draft;
  return (
    <Field
      label={draftTexts.reasons[obstacle]}
      hint={draftTexts.reasonHint}
      value={value}
      onChange={onChange}
      maxLength={200}
      pattern=".*\S.*"
      autoComplete="off"
    />
  );
}
