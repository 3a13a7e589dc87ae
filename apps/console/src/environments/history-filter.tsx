import { useNavigate, useSearch } from "@tanstack/react-router";
import type { SavedVersion } from "../configuration/document/flags-document";
import { ChoiceField } from "../ui/choice-field";
import styles from "./history.module.css";
import { useEnvironmentsTexts } from "./texts/texts";

interface HistoryFilterProps {
  readonly flags: readonly string[];
  /** The versions on the screen. Their authors can be chosen. */
  readonly versions: readonly SavedVersion[];
}

/** Filters the history by flag and author. The filters are in the address, so that it can be shared. */
export function HistoryFilter({ flags, versions }: HistoryFilterProps) {
  const { history } = useEnvironmentsTexts();
  const { flag, by } = useSearch({ from: "/inside/environment/flags/history" });
  const navigate = useNavigate({ from: "/flags/history" });
  const people = new Map(
    versions.flatMap(({ author, author_name }) =>
      author ? [[author, author_name ?? author]] : [],
    ),
  );
  if (by && !people.has(by)) people.set(by, by);
  const choose = (name: "flag" | "by", value: string) =>
    void navigate({
      search: ({ [name]: _, ...former }) => (value ? { ...former, [name]: value } : former),
      replace: true,
    });
  return (
    <search className={styles.filter}>
      <ChoiceField
        label={history.flag}
        value={flag ?? ""}
        options={[
          { value: "", label: history.anyFlag },
          ...new Set([...flags, ...(flag ? [flag] : [])]),
        ]}
        onChange={(value) => choose("flag", value)}
      />
      <ChoiceField
        label={history.person}
        value={by ?? ""}
        options={[
          { value: "", label: history.anybody },
          ...[...people].map(([value, label]) => ({ value, label })),
        ]}
        onChange={(value) => choose("by", value)}
      />
    </search>
  );
}
