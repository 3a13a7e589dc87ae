import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { Page } from "../shell/page";
import { AuditExport } from "./audit-export";
import { AuditFilter } from "./audit-filter";
import { auditPagesQuery } from "./audit-query";
import { AuditTable } from "./audit-table";

export function AuditPage() {
  const { texts } = useLanguage();
  const search = useSearch({ from: "/inside/audit" });
  const pages = useInfiniteQuery(auditPagesQuery(search));
  return (
    <Page title={texts.audit.title} intro={texts.audit.intro(timeZone())}>
      <AuditFilter search={search} />
      <AuditExport search={search} />
      <AuditTable
        pages={pages}
        empty={
          <>
            <p>{texts.audit.nothing}</p>
            <p className="note">{texts.audit.nothingHint}</p>
          </>
        }
      />
    </Page>
  );
}
