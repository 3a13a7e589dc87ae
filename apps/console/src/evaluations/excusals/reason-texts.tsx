import { Button } from "@musette/react/ui";
import { Field } from "../../ui/field";
import { TextArea } from "../../ui/text-area";
import styles from "../evaluations.module.css";
import type { ReasonText } from "./selection";
import { useExcusalsTexts } from "./texts/texts";

/** The reason that the riders read, in each language. */
export function ReasonTexts(props: {
  readonly texts: readonly ReasonText[];
  readonly error: string | undefined;
  readonly onChange: (texts: readonly ReasonText[]) => void;
}) {
  const own = useExcusalsTexts();
  const { texts, onChange } = props;
  const change = (index: number, part: Partial<ReasonText>) =>
    onChange(texts.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <>
      {texts.map(({ locale, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields have no other identity
        <div key={index} className={styles.reasonText}>
          <Field
            label={own.language}
            hint={own.languageHint}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={35}
            value={locale}
            onChange={(tag) => change(index, { locale: tag })}
          />
          <TextArea
            label={own.text}
            hint={own.textHint}
            lang={locale}
            maxLength={1000}
            error={index === 0 ? props.error : undefined}
            value={text}
            onChange={(written) => change(index, { text: written })}
          />
        </div>
      ))}
      <Button
        kind="secondary"
        className={styles.start}
        onClick={() => onChange([...texts, { locale: "", text: "" }])}
      >
        {own.addLanguage}
      </Button>
    </>
  );
}
