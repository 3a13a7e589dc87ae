import { useEffect, useId, useState } from "react";
import { useLanguage } from "../language/language-context";
import styles from "../results/experiments.module.css";
import filterStyles from "../ui/filter.module.css";
import { type ExperimentsSearch, statuses } from "./experiments-search";
import type { Placed } from "./of-document";
import { useExperimentsTexts } from "./texts/texts";

interface FilterProps {
  readonly search: ExperimentsSearch;
  readonly all: readonly Placed[];
  readonly onChange: (
    part: {
      readonly [name in "status" | "q"]?: ExperimentsSearch[name] | undefined;
    },
  ) => void;
}

/** Each change goes into the address at once. */
export function ExperimentsFilter({ search, all, onChange }: FilterProps) {
  const words = useExperimentsTexts();
  const { language } = useLanguage();
  const id = useId();
  const q = search.q ?? "";
  // A space at the end is not in the address: the next word is typed behind it.
  const [typed, setTyped] = useState(q);
  useEffect(() => setTyped((former) => (former.trim() === q ? former : q)), [q]);
  const count = (status: string) =>
    all.filter(({ experiment }) => experiment.status === status).length;
  return (
    <search className={filterStyles.filter}>
      <div className="field">
        <label htmlFor={id}>{words.find}</label>
        <input
          id={id}
          type="search"
          dir="auto"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange({ q: target.value.trim() || undefined });
          }}
        />
      </div>
      <fieldset className={styles.segments}>
        <legend className="mu-hidden">{words.status}</legend>
        {[undefined, ...statuses].map((status) => (
          <button
            key={status ?? ""}
            type="button"
            aria-pressed={search.status === status}
            onClick={() => onChange({ status })}
          >
            {status ? words.statuses[status] : words.anyStatus}
            <small>{(status ? count(status) : all.length).toLocaleString(language.tag)}</small>
          </button>
        ))}
      </fieldset>
    </search>
  );
}
