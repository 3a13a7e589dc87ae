import { Button } from "@musette/react/ui";
import { type FormEvent, useId } from "react";
import { useLanguage } from "../language/language-context";
import filterStyles from "../ui/filter.module.css";
import type { Metric } from "./results-query";
import type { ResultsSearch } from "./results-search";
import { useResultsTexts } from "./texts/texts";

interface MetricFormProps {
  readonly search: ResultsSearch;
  /** The current metric. */
  readonly metric: Metric | undefined;
  readonly metrics: readonly string[];
  readonly phase?: {
    readonly shown: number;
    readonly current: number;
    readonly all: readonly number[];
  };
  readonly onChange: (search: ResultsSearch) => void;
}

/** Undefined removes a choice. */
type Changed = { readonly [name in keyof ResultsSearch]: ResultsSearch[name] | undefined };

/** The filters of the results. Each change updates the address at once; a metric when it is complete. */
export function MetricForm({ search, metric, metrics, phase, onChange }: MetricFormProps) {
  const texts = useResultsTexts();
  const id = useId();
  const change = (part: Changed) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(next));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("metric")).trim();
    change({ metric: name || undefined });
  };
  return (
    <form key={metric?.name ?? ""} className={filterStyles.filter} onSubmit={submit}>
      {phase && phase.all.length > 1 && <PhaseField phase={phase} onChange={change} />}
      <div className="field">
        <label htmlFor={`${id}metric`}>{texts.metricField}</label>
        <input
          id={`${id}metric`}
          name="metric"
          dir="ltr"
          list={`${id}metrics`}
          autoComplete="off"
          spellCheck={false}
          defaultValue={metric?.name}
          placeholder={texts.metricNone}
        />
        <datalist id={`${id}metrics`}>
          {metrics.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {metric && !metric.declared && <ReadAsFields search={search} onChange={change} />}
      <Button type="submit" kind="secondary">
        {texts.show}
      </Button>
    </form>
  );
}

/** The form for a metric that the configuration does not declare. */
function ReadAsFields(props: {
  readonly search: ResultsSearch;
  readonly onChange: (part: Changed) => void;
}) {
  const { search, onChange } = props;
  const texts = useResultsTexts();
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}goal`}>{texts.goal}</label>
        <select
          id={`${id}goal`}
          value={search.goal ?? "higher"}
          onChange={({ target }) =>
            onChange({ goal: target.value === "lower" ? "lower" : undefined })
          }
        >
          <option value="higher">{texts.goals.higher}</option>
          <option value="lower">{texts.goals.lower}</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}measure`}>{texts.measure}</label>
        <select
          id={`${id}measure`}
          value={search.measure ?? "mean"}
          onChange={({ target }) =>
            onChange({ measure: target.value === "proportion" ? "proportion" : undefined })
          }
        >
          <option value="mean">{texts.measures.mean}</option>
          <option value="proportion">{texts.measures.proportion}</option>
        </select>
      </div>
    </>
  );
}

function PhaseField(props: {
  readonly phase: NonNullable<MetricFormProps["phase"]>;
  readonly onChange: (part: Changed) => void;
}) {
  const texts = useResultsTexts();
  const { language } = useLanguage();
  const id = useId();
  const { shown, current, all } = props.phase;
  const number = (value: number) => value.toLocaleString(language.tag);
  return (
    <div className="field">
      <label htmlFor={id}>{texts.phase}</label>
      <select
        id={id}
        value={shown}
        onChange={(event) => {
          const chosen = Number(event.target.value);
          props.onChange({ phase: chosen === current ? undefined : chosen });
        }}
      >
        {all.map((name) => (
          <option key={name} value={name}>
            {name === current ? texts.phaseNow(number(name)) : texts.phaseName(number(name))}
          </option>
        ))}
      </select>
    </div>
  );
}
