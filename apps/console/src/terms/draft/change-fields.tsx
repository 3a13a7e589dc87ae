import { Field } from "../../ui/field";
import { useTermsTexts } from "../texts/texts";
import { Choice } from "./choice";
import { withChanges } from "./draft";
import styles from "./draft.module.css";
import { fieldId } from "./faults";
import type { DraftFields } from "./fields";

/** The fields of a version that replaces another. */
export function ChangeFields({ body, edit, faultAt }: DraftFields) {
  const words = useTermsTexts().draft;
  const choose = (kind: string) => edit((now) => withChanges(now, { minor: kind === "minor" }));
  return (
    <section className={`card ${styles.draftPart}`}>
      <h2>{words.change}</h2>
      <Choice
        legend={words.changeLegend}
        id={fieldId("/minor")}
        chosen={body.minor ? "minor" : "material"}
        onChoose={choose}
        options={[
          { value: "material", words: words.material, hint: words.materialHint },
          { value: "minor", words: words.minor, hint: words.minorHint },
        ]}
      />
      <Field
        label={words.summary}
        hint={words.summaryHint}
        fault={faultAt("/summary")}
        id={fieldId("/summary")}
        required={false}
        maxLength={200}
        value={body.summary ?? ""}
        onChange={(summary) => edit((now) => withChanges(now, { summary: summary || undefined }))}
      />
    </section>
  );
}
