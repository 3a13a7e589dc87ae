import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ExportBar } from "../export/export-bar";
import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { ForAuditReaders } from "../ui/for-audit-readers";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { AUDIT_FORMATS, exportAudit } from "./audit-file";
import { AuditFilter } from "./audit-filter";
import { auditPagesQuery } from "./audit-query";
import { AuditTable } from "./audit-table";

export function AuditPage() {
  const { texts } = useLanguage();
  return (
    <Page title={texts.audit.title} intro={texts.audit.intro(timeZone())}>
      <ForAuditReaders>
        <Audit />
      </ForAuditReaders>
    </Page>
  );
}

function Audit() {
  const { texts } = useLanguage();
  const search = useSearch({ from: "/inside/audit" });
  const pages = useInfiniteQuery(auditPagesQuery(search));
  return (
    <>
      <AuditFilter search={search} />
      <PageTools>
        <ExportBar
          name="audit"
          formats={AUDIT_FORMATS}
          gather={(format, asked) => exportAudit(search, format, asked)}
        />
      </PageTools>
      <AuditTable
        pages={pages}
        isPage
        empty={
          <>
            <p>{texts.audit.nothing}</p>
            <p className="note">{texts.audit.nothingHint}</p>
          </>
        }
      />
    </>
  );
}
