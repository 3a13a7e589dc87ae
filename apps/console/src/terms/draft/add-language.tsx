import { Button } from "@musette/react/ui";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { ChoiceField } from "../../ui/choice-field";
import { Field } from "../../ui/field";
import { useTermsTexts } from "../texts/texts";
import styles from "./draft.module.css";
import { fieldId } from "./errors";
import { commonLanguages, isTag } from "./language-tags";

const OTHER = "other";

interface AddLanguageProps {
  readonly taken: readonly string[];
  readonly onAdd: (locale: string) => void;
}

/** Adds a language by its name. A tag is only needed for a language that is not in the list. */
export function AddLanguage({ taken, onAdd }: AddLanguageProps) {
  const draftTexts = useTermsTexts().draft;
  const { tag: reader } = useLanguage().language;
  const [chosen, setChosen] = useState("");
  const wasAdded = useRef(false);
  const named = useMemo(() => {
    const { compare } = new Intl.Collator(reader);
    const all = commonLanguages.map((tag) => ({ value: tag, label: languageName(tag, reader) }));
    return all.sort((a, b) => compare(a.label, b.label));
  }, [reader]);
  const add = (locale: string) => {
    wasAdded.current = true;
    setChosen("");
    onAdd(locale);
  };
  useEffect(() => {
    if (!wasAdded.current) return;
    wasAdded.current = false;
    document.getElementById(fieldId(`/variants/${taken.length - 1}/title`))?.focus();
  }, [taken.length]);
  return (
    <div className={styles.addLanguage}>
      <ChoiceField
        id={fieldId("/variants")}
        label={draftTexts.addLanguage}
        value={chosen}
        options={[
          { value: "", label: "…" },
          ...named.filter(({ value }) => !taken.includes(value)),
          { value: OTHER, label: draftTexts.otherLanguage },
        ]}
        onChange={setChosen}
      />
      {chosen === OTHER ? (
        <OtherLanguage taken={taken} onAdd={add} />
      ) : (
        // Not on selection: with the arrow keys, a select chooses every option on the way.
        <Button kind="secondary" disabled={!chosen} onClick={() => add(chosen)}>
          {draftTexts.add}
        </Button>
      )}
    </div>
  );
}

function OtherLanguage({ taken, onAdd }: AddLanguageProps) {
  const draftTexts = useTermsTexts().draft;
  const [tag, setTag] = useState("");
  const [error, setError] = useState<string>();
  const isTaken = taken.some((locale) => locale.toLowerCase() === tag.toLowerCase());
  const add = () => {
    if (!isTag(tag)) setError(draftTexts.tagInvalid);
    else if (isTaken) setError(draftTexts.tagTaken);
    else onAdd(tag);
  };
  const press = (event: KeyboardEvent) => event.key === "Enter" && add();
  return (
    <div className={styles.otherLanguage}>
      <Field
        label={draftTexts.tag}
        hint={draftTexts.tagInvalid}
        error={error}
        value={tag}
        onChange={(value) => setTag(value.trim())}
        onKeyDown={press}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={35}
      />
      <Button kind="secondary" onClick={add}>
        {draftTexts.add}
      </Button>
    </div>
  );
}
