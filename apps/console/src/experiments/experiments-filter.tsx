import { useLanguage } from "../language/language-context";
import styles from "../results/experiments.module.css";
import filterStyles from "../ui/filter.module.css";
import { SearchField } from "../ui/search-field";
import { type ExperimentsSearch, statuses } from "./experiments-search";
import type { PlacedExperiment } from "./of-document";
import { useExperimentsTexts } from "./texts/texts";

interface FilterProps {
  readonly search: ExperimentsSearch;
  readonly all: readonly PlacedExperiment[];
  readonly onChange: (
    part: {
      readonly [name in "status" | "q"]?: ExperimentsSearch[name] | undefined;
    },
  ) => void;
}

/** The filters of the list. Each change updates the address at once. */
export function ExperimentsFilter({ search, all, onChange }: FilterProps) {
  const texts = useExperimentsTexts();
  const { language } = useLanguage();
  const count = (status: string) =>
    all.filter(({ experiment }) => experiment.status === status).length;
  return (
    <search className={filterStyles.filter}>
      <SearchField
        label={texts.find}
        value={search.q ?? ""}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <fieldset className={styles.segments}>
        <legend className="mu-hidden">{texts.status}</legend>
        {[undefined, ...statuses].map((status) => (
          <button
            key={status ?? ""}
            type="button"
            aria-pressed={search.status === status}
            onClick={() => onChange({ status })}
          >
            {status ? texts.statuses[status] : texts.anyStatus}
            <small>{(status ? count(status) : all.length).toLocaleString(language.tag)}</small>
          </button>
        ))}
      </fieldset>
    </search>
  );
}
