import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { Page } from "../shell/page";
import { LoadFailed, Loading } from "../shell/states";
import { AuditFilter } from "./audit-filter";
import { auditPagesQuery } from "./audit-query";
import { AuditTable } from "./audit-table";

export function AuditPage() {
  const { texts, language } = useLanguage();
  const search = useSearch({ from: "/inside/audit" });
  const pages = useInfiniteQuery(auditPagesQuery(search));
  const entries = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page title={texts.audit.title} intro={texts.audit.intro(timeZone())}>
      <AuditFilter search={search} />
      {pages.isPending && <Loading />}
      {pages.isError && <LoadFailed error={pages.error} onRetry={pages.refetch} />}
      {pages.isSuccess && entries.length === 0 && (
        <div className="card calm">
          <p>{texts.audit.nothing}</p>
          <p className="note">{texts.audit.nothingHint}</p>
        </div>
      )}
      <p role="status" className="mu-hidden">
        {pages.isSuccess && texts.audit.shown(entries.length.toLocaleString(language.tag))}
      </p>
      {entries.length > 0 && (
        <AuditTable
          entries={entries}
          isMore={pages.hasNextPage}
          isLoading={pages.isFetchingNextPage}
          onMore={() => void pages.fetchNextPage()}
        />
      )}
    </Page>
  );
}
