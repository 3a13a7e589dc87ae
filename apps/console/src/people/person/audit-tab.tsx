import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { auditPagesQuery } from "../../audit/audit-query";
import { AuditTable } from "../../audit/audit-table";
import { timeZone } from "../../language/dates";
import { ForAuditReaders } from "../../ui/for-audit-readers";
import listStyles from "../../ui/list.module.css";
import { usePersonTexts } from "./texts/texts";

/** The audit entries by or about a person. */
export function AuditTab() {
  return (
    <ForAuditReaders>
      <Audit />
    </ForAuditReaders>
  );
}

function Audit() {
  const texts = usePersonTexts();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const pages = useInfiniteQuery(auditPagesQuery({ user: userId }));
  return (
    <>
      <div className={listStyles.bar}>
        <p className="note">{texts.zone(timeZone())}</p>
        <Link to="/audit" search={{ user: userId }}>
          {texts.inAudit}
        </Link>
      </div>
      <AuditTable pages={pages} empty={<p>{texts.noAudit}</p>} />
    </>
  );
}
