import { Field } from "../../ui/field";
import { useTermsTexts } from "../texts/texts";
import { Choice } from "./choice";
import { withChanges } from "./draft";
import styles from "./draft.module.css";
import { fieldId } from "./errors";
import type { DraftFields } from "./fields";

/** The fields of a version that replaces another. */
export function ChangeFields({ body, edit, errorAt }: DraftFields) {
  const draftTexts = useTermsTexts().draft;
  const choose = (kind: string) => edit((now) => withChanges(now, { minor: kind === "minor" }));
  return (
    <section className={`card ${styles.draftPart}`}>
      <h2>{draftTexts.change}</h2>
      <Choice
        legend={draftTexts.changeLegend}
        id={fieldId("/minor")}
        chosen={body.minor ? "minor" : "material"}
        onChoose={choose}
        options={[
          { value: "material", label: draftTexts.material, hint: draftTexts.materialHint },
          { value: "minor", label: draftTexts.minor, hint: draftTexts.minorHint },
        ]}
      />
      <Field
        label={draftTexts.summary}
        hint={draftTexts.summaryHint}
        error={errorAt("/summary")}
        id={fieldId("/summary")}
        required={false}
        maxLength={200}
        value={body.summary ?? ""}
        onChange={(summary) => edit((now) => withChanges(now, { summary: summary || undefined }))}
      />
    </section>
  );
}
