import type { ReactNode } from "react";
import { ROLES_FOR, type Task } from "../api/grants";
import { useMay, useOnlyWithin } from "../api/use-may";
import { useLanguage } from "../language/language-context";

interface ForRolesProps {
  readonly task: Task;
  /** The market or environment that it is done to. */
  readonly scope?: string | undefined;
  /** Says nothing where it is not allowed, since another part of the page does. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** Offers something to those who may do it, and tells everybody else who may. */
export function ForRoles({ task, scope, isQuiet, children }: ForRolesProps) {
  const { texts, language } = useLanguage();
  const may = useMay();
  const within = useOnlyWithin(task);
  if (may(task, scope)) return children;
  if (isQuiet) return null;
  const list = new Intl.ListFormat(language.tag, { type: "disjunction" });
  const names = list.format(ROLES_FOR[task].map((role) => texts.roles[role]));
  // Whoever may do it elsewhere has the role already: it is the place that is not theirs.
  const mine = new Intl.ListFormat(language.tag).format(within);
  const says = within.length > 0 ? texts.forRolesBeyond(mine, names) : texts.forRoles(names);
  return <p className="note">{says}</p>;
}
