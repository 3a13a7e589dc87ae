import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { timeZone } from "../../language/dates";
import { MarketFilter } from "../../markets/market-filter";
import { ChoiceField } from "../../ui/choice-field";
import fieldStyles from "../../ui/fields.module.css";
import filterStyles from "../../ui/filter.module.css";
import { InstantField } from "../../ui/instant-field";
import { SubmittedField } from "../../ui/submitted-field";
import { STATUSES } from "../evaluations-search";
import { useEvaluationsTexts } from "../texts/texts";
import { type ExcuseSearch, readExcuseSearch } from "./excuse-search";
import { useExcusalsTexts } from "./texts/texts";

/** The filters of the selection. Each change updates the address. */
export function ExcuseFilter({ search }: { readonly search: ExcuseSearch }) {
  const texts = useEvaluationsTexts();
  const own = useExcusalsTexts();
  const navigate = useNavigate({ from: "/evaluations/excuse" });
  const change = (part: Readonly<Record<string, unknown>>) => {
    const next = readExcuseSearch({ ...search, ...part });
    void navigate({ to: "/evaluations/excuse", search: next, replace: true });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change({ user: form.get("user"), reference: form.get("reference") });
  };
  return (
    <search>
      <form className={filterStyles.filter} onSubmit={submit}>
        <Bound label={own.from} value={search.from} onChange={(from) => change({ from })} />
        <Bound label={own.until} value={search.until} onChange={(until) => change({ until })} />
        <MarketFilter value={search.market} onChange={(market) => change({ market })} />
        <ChoiceField
          label={texts.status}
          value={search.status ?? ""}
          options={[
            { value: "", label: texts.anyStatus },
            ...STATUSES.map((value) => ({ value, label: texts.statuses[value] })),
          ]}
          onChange={(status) => change({ status })}
        />
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
        <input type="submit" hidden />
      </form>
      <p className="note">{own.zone(timeZone())}</p>
    </search>
  );
}

function Bound(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (instant: string) => void;
}) {
  return (
    <div className="field">
      <span className={fieldStyles.label}>{props.label}</span>
      <InstantField label={props.label} value={props.value ?? ""} onChange={props.onChange} />
    </div>
  );
}
