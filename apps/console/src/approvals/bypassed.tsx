import { useInfiniteQuery } from "@tanstack/react-query";
import { auditPagesQuery } from "../audit/audit-query";
import { AuditTable } from "../audit/audit-table";
import { dayOf } from "../language/days";
import { ForAuditReaders } from "../ui/for-audit-readers";
import styles from "./approvals.module.css";
import { useApprovalsTexts } from "./texts/texts";

const DAYS_SHOWN = 30;

/** Recent bypassed approvals and their reasons; hidden if there were none. */
export function Bypassed() {
  return (
    <ForAuditReaders isQuiet>
      <RecentBypasses />
    </ForAuditReaders>
  );
}

function RecentBypasses() {
  const texts = useApprovalsTexts();
  const since = new Date();
  since.setDate(since.getDate() - DAYS_SHOWN);
  const pages = useInfiniteQuery(
    auditPagesQuery({ event: "approval_bypassed", since: dayOf(since) }),
  );
  if (!pages.data?.pages[0]?.items.length) return null;
  return (
    <section className={styles.group} aria-label={texts.bypassed}>
      <h2>{texts.bypassed}</h2>
      <AuditTable pages={pages} empty={null} />
    </section>
  );
}
