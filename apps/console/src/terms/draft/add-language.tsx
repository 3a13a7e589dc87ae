import { Button } from "@musette/react/ui";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useLanguage } from "../../language/language-context";
import { Field } from "../../shell/field";
import { languageName } from "../in-language";
import { useTermsTexts } from "../texts/texts";
import { fieldId } from "./faults";
import { commonLanguages, isTag } from "./language-tags";

const OTHER = "other";

interface AddLanguageProps {
  readonly taken: readonly string[];
  readonly onAdd: (locale: string) => void;
}

/** By name; the tag has to be known only for what is in no list. */
export function AddLanguage({ taken, onAdd }: AddLanguageProps) {
  const words = useTermsTexts().draft;
  const { tag: reader } = useLanguage().language;
  const [isOther, setOther] = useState(false);
  const id = useId();
  const named = useMemo(() => {
    const { compare } = new Intl.Collator(reader);
    const all = commonLanguages.map((tag) => ({ tag, name: languageName(tag, reader) }));
    return all.sort((a, b) => compare(a.name, b.name));
  }, [reader]);
  const choose = (value: string) => {
    if (value === OTHER) setOther(true);
    else if (value) onAdd(value);
  };
  return (
    <div className="add-language">
      <div className="field">
        <label htmlFor={`${id}language`}>{words.addLanguage}</label>
        <select
          id={`${id}language`}
          className={fieldId("/variants")}
          value={isOther ? OTHER : ""}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">…</option>
          {named
            .filter(({ tag }) => !taken.includes(tag))
            .map(({ tag, name }) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          <option value={OTHER}>{words.otherLanguage}</option>
        </select>
      </div>
      {isOther && (
        <OtherLanguage
          taken={taken}
          onAdd={(locale) => {
            setOther(false);
            onAdd(locale);
          }}
        />
      )}
    </div>
  );
}

function OtherLanguage({ taken, onAdd }: AddLanguageProps) {
  const words = useTermsTexts().draft;
  const [tag, setTag] = useState("");
  const [fault, setFault] = useState<string>();
  const isTaken = taken.some((it) => it.toLowerCase() === tag.toLowerCase());
  const add = () => {
    if (!isTag(tag)) setFault(words.tagInvalid);
    else if (isTaken) setFault(words.tagTaken);
    else onAdd(tag);
  };
  const press = (event: KeyboardEvent) => event.key === "Enter" && add();
  return (
    <div className="other-language">
      <Field
        label={words.tag}
        hint={words.tagInvalid}
        fault={fault}
        value={tag}
        onChange={(value) => setTag(value.trim())}
        onKeyDown={press}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={35}
      />
      <Button kind="secondary" onClick={add}>
        {words.add}
      </Button>
    </div>
  );
}
