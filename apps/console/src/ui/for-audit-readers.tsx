import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readsAudit } from "../api/grants";
import { meQuery } from "../api/me";
import { useLanguage } from "../language/language-context";

interface ForAuditReadersProps {
  /** Says nothing to others: the audit is not what this page is about. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** The audit is about everybody: whoever has roles for some markets only is told so, instead of a refusal. */
export function ForAuditReaders({ isQuiet, children }: ForAuditReadersProps) {
  const { texts } = useLanguage();
  const { data } = useQuery(meQuery);
  if (data && readsAudit(data.roles)) return children;
  return data && !isQuiet ? <p className="note">{texts.audit.notNarrowed}</p> : null;
}
