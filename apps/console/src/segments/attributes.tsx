import { Button } from "@musette/react/ui";
import { type FormEvent, useId, useState } from "react";
import type { Tagged } from "../api/client";
import { OPERATORS } from "../configuration/conditions/operators";
import type { AttributeType, FlagsDocument } from "../configuration/document/document";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { toasts } from "../toast/toasts";
import styles from "./segments.module.css";
import { useSegmentsTexts } from "./texts/texts";
import { countOf, usesOfAttribute } from "./uses";

const TYPES = Object.keys(OPERATORS) as AttributeType[];

/** What conditions may ask for. One that is asked for stays. */
export function Attributes(props: { readonly env: string; readonly base: Tagged<FlagsDocument> }) {
  const { env, base } = props;
  const words = useSegmentsTexts();
  const [proposed, setProposed] = useState<FlagsDocument>();
  const { attributes } = base.body;
  const id = useId();
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [name, type] = [String(data.get("name")).trim(), data.get("type") as AttributeType];
    if (name && !attributes.some((it) => it.name === name)) {
      setProposed({ ...base.body, attributes: [...attributes, { name, type }] });
    }
  };
  return (
    <section className={`card ${styles.attributes}`} aria-labelledby={id}>
      <h2 id={id}>{words.attributes}</h2>
      <p className="note">{words.attributesHint}</p>
      <ul>
        {attributes.map(({ name, type, description }) => (
          <li key={name}>
            <bdi className="mono">{name}</bdi>
            <span className="note">
              {words.types[type]}
              {description && ` · ${description}`}
            </span>
            {countOf(usesOfAttribute(base.body, name)) === 0 && (
              <button
                type="button"
                className="icon-button"
                aria-label={words.remove(name)}
                onClick={() =>
                  setProposed({
                    ...base.body,
                    attributes: attributes.filter((it) => it.name !== name),
                  })
                }
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <input
          name="name"
          aria-label={words.name}
          placeholder={words.name}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          required
        />
        <select name="type" aria-label={words.type}>
          {TYPES.map((type) => (
            <option key={type} value={type}>
              {words.types[type]}
            </option>
          ))}
        </select>
        <Button type="submit" kind="secondary">
          {words.newAttribute}
        </Button>
      </form>
      {proposed && (
        <ReviewDialog
          open
          environment={env}
          base={base}
          document={proposed}
          onClose={() => setProposed(undefined)}
          onSaved={(version) => {
            setProposed(undefined);
            toasts.say(words.saved(String(version)));
          }}
        />
      )}
    </section>
  );
}
