import { Field } from "../ui/field";
import { TextArea } from "../ui/text-area";
import type { ErrorAt } from "./errors";
import type { DataRow, ParameterRow, Translation } from "./form";
import { Rows } from "./rows";
import { useSystemsTexts } from "./texts/texts";

interface TranslatedFieldsProps {
  readonly tag: string;
  readonly value: Translation;
  readonly onChange: (change: (now: Translation) => Translation) => void;
  /** For pointers below `/texts/TAG`. */
  readonly errorAt: ErrorAt;
}

/** Replaces one item of a list. */
export function replaced<T>(list: readonly T[], place: number, change: Partial<T> | T): T[] {
  return list.map((item, i) => {
    if (i !== place) return item;
    return typeof change === "object" ? { ...item, ...change } : change;
  });
}

/** The fields of a translation. Empty ones are shown in the language of the description. */
export function TranslatedFields({ tag, value, onChange, errorAt }: TranslatedFieldsProps) {
  const texts = useSystemsTexts();
  const set = (change: Partial<Translation>) => onChange((now) => ({ ...now, ...change }));
  return (
    <>
      <Field
        label={texts.name}
        lang={tag}
        required={false}
        maxLength={200}
        error={errorAt("/name")}
        value={value.name}
        onChange={(name) => set({ name })}
      />
      <TextArea
        label={texts.purpose}
        lang={tag}
        error={errorAt("/purpose")}
        value={value.purpose}
        onChange={(purpose) => set({ purpose })}
      />
      {value.data.length > 0 && (
        <Rows
          title={texts.data}
          error={errorAt("/data")}
          count={value.data.length}
          row={(place) => (
            <DataFields
              lang={tag}
              row={value.data[place]}
              errorAt={(member) => errorAt(`/data/${place}${member}`)}
              onChange={(change) => set({ data: replaced(value.data, place, change) })}
            />
          )}
        />
      )}
      {value.parameters.length > 0 && (
        <Rows
          title={texts.parameters}
          error={errorAt("/parameters")}
          count={value.parameters.length}
          row={(place) => (
            <ParameterFields
              lang={tag}
              row={value.parameters[place]}
              errorAt={(member) => errorAt(`/parameters/${place}${member}`)}
              onChange={(change) => set({ parameters: replaced(value.parameters, place, change) })}
            />
          )}
        />
      )}
      {value.decisions.length > 0 && (
        <Rows
          title={texts.decisions}
          error={errorAt("/decisions")}
          count={value.decisions.length}
          row={(place) => (
            <TextArea
              label={texts.decision}
              lang={tag}
              rows={2}
              error={errorAt(`/decisions/${place}`)}
              value={value.decisions[place] ?? ""}
              onChange={(text) => set({ decisions: replaced(value.decisions, place, text) })}
            />
          )}
        />
      )}
      <TextArea
        label={texts.oversight}
        lang={tag}
        error={errorAt("/human_oversight")}
        value={value.oversight}
        onChange={(oversight) => set({ oversight })}
      />
    </>
  );
}

interface RowFieldsProps<Row> {
  readonly row: Row | undefined;
  readonly lang?: string | undefined;
  readonly errorAt: ErrorAt;
  readonly onChange: (change: Partial<Row>) => void;
}

export function DataFields({ row, lang, errorAt, onChange }: RowFieldsProps<DataRow>) {
  const texts = useSystemsTexts();
  return (
    <>
      <Field
        label={texts.category}
        lang={lang}
        required={false}
        maxLength={200}
        error={errorAt("/category") ?? errorAt("")}
        value={row?.category ?? ""}
        onChange={(category) => onChange({ category })}
      />
      <Field
        label={texts.source}
        lang={lang}
        required={false}
        maxLength={200}
        error={errorAt("/source")}
        value={row?.source ?? ""}
        onChange={(source) => onChange({ source })}
      />
    </>
  );
}

export function ParameterFields({ row, lang, errorAt, onChange }: RowFieldsProps<ParameterRow>) {
  const texts = useSystemsTexts();
  return (
    <>
      <Field
        label={texts.parameter}
        lang={lang}
        required={false}
        maxLength={200}
        error={errorAt("/name") ?? errorAt("")}
        value={row?.name ?? ""}
        onChange={(name) => onChange({ name })}
      />
      <TextArea
        label={texts.description}
        lang={lang}
        rows={2}
        error={errorAt("/description")}
        value={row?.description ?? ""}
        onChange={(description) => onChange({ description })}
      />
    </>
  );
}
