import type { ReactNode } from "react";
import { ROLES_FOR, type Task } from "../api/grants";
import { useMay, useOnlyWithin } from "../api/use-may";
import { useLanguage } from "../language/language-context";

interface ForRolesProps {
  readonly task: Task;
  /** The market or environment of the task. */
  readonly scope?: string | undefined;
  /** Shows nothing if it is not allowed, because another part of the page explains it. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** Shows its content to people who may do a task; explains to others which roles it needs. */
export function ForRoles({ task, scope, isQuiet, children }: ForRolesProps) {
  const { texts, language } = useLanguage();
  const may = useMay();
  const within = useOnlyWithin(task);
  if (may(task, scope)) return children;
  if (isQuiet) return null;
  const list = new Intl.ListFormat(language.tag, { type: "disjunction" });
  const names = list.format(ROLES_FOR[task].map((role) => texts.roles[role]));
  // A person who may do it elsewhere has the role, but not for this market or environment.
  const scopes = new Intl.ListFormat(language.tag).format(within);
  const says = within.length > 0 ? texts.forRolesBeyond(scopes, names) : texts.forRoles(names);
  return <p className="note">{says}</p>;
}
