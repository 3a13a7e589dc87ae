import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useMay } from "../api/use-may";
import { MarketFilter } from "../markets/market-filter";
import { ChoiceField } from "../ui/choice-field";
import filterStyles from "../ui/filter.module.css";
import quietStyles from "../ui/quiet-button.module.css";
import { SubmittedField } from "../ui/submitted-field";
import { type EvaluationsSearch, readEvaluationsSearch, STATUSES } from "./evaluations-search";
import { useEvaluationsTexts } from "./texts/texts";

/** The filters of the list. Each change updates the address. */
export function EvaluationsFilter({ search }: { readonly search: EvaluationsSearch }) {
  const texts = useEvaluationsTexts();
  const may = useMay();
  const navigate = useNavigate({ from: "/evaluations" });
  const change = (part: Readonly<Record<string, unknown>>) => {
    const next = readEvaluationsSearch({ ...search, ...part });
    void navigate({ to: "/evaluations", search: next, replace: true });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change({ user: form.get("user"), reference: form.get("reference") });
  };
  const status = search.status ?? (may("review") || search.due ? "IN_DISCUSSION" : "ALL");
  return (
    <search>
      {/* The key creates new fields when the filter is cleared, because they keep their text. */}
      <form
        key={`${search.user ?? ""} ${search.reference ?? ""}`}
        className={filterStyles.filter}
        onSubmit={submit}
      >
        <ChoiceField
          label={texts.status}
          value={status}
          options={[
            { value: "ALL", label: texts.anyStatus },
            ...STATUSES.map((value) => ({ value, label: texts.statuses[value] })),
          ]}
          onChange={(value) => change({ status: value, due: undefined })}
        />
        <ChoiceField
          label={texts.due}
          value={search.due ?? ""}
          options={[
            { value: "", label: texts.anyTime },
            { value: "overdue", label: texts.overdue },
            { value: "soon", label: texts.soon },
          ]}
          onChange={(due) => change({ due, status: undefined })}
        />
        <MarketFilter value={search.market} onChange={(market) => change({ market })} />
        <SubmittedField
          name="user"
          label={texts.user}
          value={search.user ?? ""}
          onChange={(user) => change({ user })}
        />
        <SubmittedField
          name="reference"
          label={texts.reference}
          value={search.reference ?? ""}
          onChange={(reference) => change({ reference })}
        />
        {/* Without a submit button, Enter in one of several fields submits nothing. */}
        <input type="submit" hidden />
        {Object.keys(search).length > 0 && (
          <button
            type="button"
            className={quietStyles.quiet}
            onClick={() => void navigate({ to: "/evaluations", search: {}, replace: true })}
          >
            {texts.clear}
          </button>
        )}
      </form>
    </search>
  );
}
