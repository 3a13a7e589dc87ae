import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { isInside } from "../api/grants";
import { ExportBar } from "../export/export-bar";
import { useLanguage } from "../language/language-context";
import { LongTable } from "../table/long-table";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import { LoadFailed } from "../ui/states";
import { ReportFilter } from "./report-filter";
import { fetchReport, reportQuery } from "./report-queries";
import { periodOf } from "./report-search";
import { useReportsTexts } from "./texts/texts";
import { useReportColumns } from "./use-report-columns";

/** Counts of decisions by month and market, without any person. */
export function ReportPage() {
  const texts = useReportsTexts();
  return (
    <Page title={texts.title} intro={texts.intro}>
      <ForRoles task="reports">
        <Report />
      </ForRoles>
    </Page>
  );
}

function Report() {
  const texts = useReportsTexts();
  const { tag } = useLanguage().language;
  const columns = useReportColumns();
  const search = useSearch({ from: "/inside/decisions-report" });
  const period = periodOf(search, new Date());
  const query = useQuery(reportQuery(period));
  const { market } = search;
  const all = query.data ?? [];
  const rows = all.filter((row) => !market || (row.market && isInside(row.market, market)));
  const markets = [...new Set(all.flatMap((row) => row.market ?? []))];
  return (
    <>
      <ReportFilter search={search} period={period} markets={markets} />
      <p className="note">{texts.rule}</p>
      {query.isError && <LoadFailed error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && rows.length === 0 && (
        <div className="card calm">
          <p>{texts.nothing}</p>
        </div>
      )}
      {!query.isError && (query.isPending || rows.length > 0) && (
        <LongTable
          label={texts.title}
          columns={columns}
          rows={rows}
          rowKey={(row) => `${row.month} ${row.market ?? ""}`}
          isLoading={query.isPending}
        />
      )}
      <p role="status" className="mu-hidden">
        {query.isSuccess && texts.shown(rows.length.toLocaleString(tag))}
      </p>
      <ExportBar
        name={`decisions-${period.from}-${period.to}`}
        formats={["csv"]}
        gather={(_, options) => fetchReport(period, market, options)}
      />
    </>
  );
}
