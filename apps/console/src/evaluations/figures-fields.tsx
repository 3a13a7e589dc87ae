import { Field } from "../ui/field";
import styles from "./evaluations.module.css";
import { FIGURES, type Figures } from "./model";
import { useEvaluationsTexts } from "./texts/texts";

/** The figures as they are typed, in minutes and seconds as the API has them. */
export type TypedFigures = Readonly<Record<string, string>>;

export function typedOf(figures: Figures | null | undefined): TypedFigures {
  const entries = FIGURES.flatMap((name) => {
    const value = figures?.[name];
    return value === null || value === undefined ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the figures; undefined if none is filled in. */
export function figuresOf(typed: TypedFigures): Figures | undefined {
  const entries = FIGURES.flatMap((name) => {
    const text = typed[name]?.trim() ?? "";
    return /^\d{1,8}$/.test(text) ? [[name, Number(text)] as const] : [];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

export function FiguresFields(props: {
  readonly typed: TypedFigures;
  readonly onChange: (typed: TypedFigures) => void;
}) {
  const texts = useEvaluationsTexts();
  const { typed, onChange } = props;
  return (
    <div className={styles.figures}>
      {FIGURES.map((name) => (
        <Field
          key={name}
          label={texts.figures[name]}
          hint={name.endsWith("_minutes") ? texts.minutes : texts.seconds}
          required={false}
          inputMode="numeric"
          maxLength={8}
          value={typed[name] ?? ""}
          onChange={(text) => onChange({ ...typed, [name]: text.replace(/\D/g, "") })}
        />
      ))}
    </div>
  );
}
