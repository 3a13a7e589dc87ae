import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readsAudit } from "../api/grants";
import { meQuery } from "../api/me";
import { useLanguage } from "../language/language-context";

interface ForAuditReadersProps {
  /** Shows nothing to other people, because the audit log is not the subject of this page. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/**
 * Shows its content to people who may read the audit log, which covers the whole company. People
 * with roles for some markets get an explanation instead of an error.
 */
export function ForAuditReaders({ isQuiet, children }: ForAuditReadersProps) {
  const { texts } = useLanguage();
  const { data } = useQuery(meQuery);
  if (data && readsAudit(data.roles)) return children;
  return data && !isQuiet ? <p className="note">{texts.audit.notNarrowed}</p> : null;
}
