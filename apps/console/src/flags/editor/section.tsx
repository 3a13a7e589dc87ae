import { type ReactNode, useId } from "react";
import styles from "./editor.module.css";

/** One section of the editor. */
export function Section(props: {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`card ${styles.editorSection}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{props.title}</h2>
        {props.hint && <p className="note">{props.hint}</p>}
      </header>
      {props.children}
    </section>
  );
}

export function VariationSelect(props: {
  readonly label: string;
  readonly value: string;
  readonly variations: readonly { readonly key: string }[];
  readonly onChange: (key: string) => void;
  readonly isInvalid?: boolean;
  readonly id?: string;
  readonly children?: ReactNode;
}) {
  const keys = props.variations.map(({ key }) => key);
  const isKnown = props.value === "" || keys.includes(props.value);
  return (
    <select
      id={props.id}
      aria-label={props.id ? undefined : props.label}
      aria-invalid={props.isInvalid || !isKnown || undefined}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    >
      {props.children}
      {!isKnown && <option>{props.value}</option>}
      {[...new Set(keys)].map((key) => (
        <option key={key}>{key}</option>
      ))}
    </select>
  );
}
