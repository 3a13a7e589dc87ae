import { useNavigate } from "@tanstack/react-router";
import { useMarketName } from "../markets/use-market-name";
import { ChoiceField } from "../ui/choice-field";
import filterStyles from "../ui/filter.module.css";
import { MonthField } from "./month-field";
import { type Period, type ReportSearch, readReportSearch } from "./report-search";
import { useReportsTexts } from "./texts/texts";

interface ReportFilterProps {
  readonly search: ReportSearch;
  readonly period: Period;
  /** The markets that the report has. */
  readonly markets: readonly string[];
}

/** The period and the market of the report. */
export function ReportFilter({ search, period, markets }: ReportFilterProps) {
  const texts = useReportsTexts();
  const marketName = useMarketName();
  const navigate = useNavigate({ from: "/decisions-report" });
  const change = (part: Readonly<Record<string, unknown>>) => {
    const next = readReportSearch({ ...search, ...part });
    void navigate({ to: "/decisions-report", search: next, replace: true });
  };
  const { market } = search;
  const offered = market === undefined || markets.includes(market) ? markets : [...markets, market];
  return (
    <search>
      <form className={filterStyles.filter} onSubmit={(event) => event.preventDefault()}>
        <MonthField label={texts.from} value={period.from} onChange={(from) => change({ from })} />
        <MonthField label={texts.to} value={period.to} onChange={(to) => change({ to })} />
        {offered.length > 0 && (
          <ChoiceField
            label={texts.market}
            value={market ?? ""}
            options={[
              { value: "", label: texts.allMarkets },
              ...offered.map((code) => ({ value: code, label: marketName(code) })),
            ]}
            onChange={(code) => change({ market: code })}
          />
        )}
      </form>
    </search>
  );
}
