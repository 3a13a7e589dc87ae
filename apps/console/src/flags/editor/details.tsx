import { Checkbox } from "@musette/react/ui";
import { useId } from "react";
import { TokensField } from "../../configuration/conditions/tokens-field";
import type { Flag, FlagsDocument } from "../../configuration/document/document";
import fieldStyles from "../../ui/fields.module.css";
import { tagsAndOwners } from "../list-flags";
import { useFlagsTexts } from "../texts/texts";
import type { ChangeFlag } from "../use-flag-draft";
import styles from "./editor.module.css";
import { Section } from "./section";

/** Returns the flag with this member, or without it if the text is empty. */
function withText(flag: Flag, name: "description" | "owner", text: string): Flag {
  const { [name]: _, ...rest } = flag;
  return text ? { ...rest, [name]: text } : rest;
}

export function Details(props: {
  readonly flag: Flag;
  readonly document: FlagsDocument;
  readonly change: ChangeFlag;
}) {
  const { flag, document, change } = props;
  const { editor: editorTexts, ...outer } = useFlagsTexts();
  const id = useId();
  const { owners } = tagsAndOwners(document.flags);
  return (
    <Section title={editorTexts.details}>
      <div className="field">
        <label htmlFor={`${id}about`}>{editorTexts.description}</label>
        <textarea
          id={`${id}about`}
          rows={2}
          dir="auto"
          placeholder={editorTexts.descriptionHint}
          value={flag.description ?? ""}
          onChange={({ target }) =>
            change((current) => withText(current, "description", target.value))
          }
        />
      </div>
      <div className={styles.editorPair}>
        <div className="field">
          <label htmlFor={`${id}owner`}>{outer.owner}</label>
          <input
            id={`${id}owner`}
            dir="auto"
            list={`${id}owners`}
            value={flag.owner ?? ""}
            onChange={({ target }) => change((current) => withText(current, "owner", target.value))}
          />
          <datalist id={`${id}owners`}>
            {owners.slice(0, 100).map((owner) => (
              <option key={owner} value={owner} />
            ))}
          </datalist>
        </div>
        <div className="field">
          <span className={fieldStyles.label}>{editorTexts.tags}</span>
          <TokensField
            label={editorTexts.tags}
            kind="text"
            values={flag.tags}
            placeholder={editorTexts.tagsHint}
            onChange={(tags) => change((current) => ({ ...current, tags: tags.map(String) }))}
          />
        </div>
      </div>
      <label className={styles.check} htmlFor={`${id}visible`}>
        <Checkbox
          id={`${id}visible`}
          checked={flag.clientVisible}
          onToggle={() =>
            change((current) => ({ ...current, clientVisible: !current.clientVisible }))
          }
        />
        <span>
          {editorTexts.clientVisible}
          <span className="note">{editorTexts.clientVisibleHint}</span>
        </span>
      </label>
    </Section>
  );
}
