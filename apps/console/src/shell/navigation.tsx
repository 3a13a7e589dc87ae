import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { grantOf, permits } from "../api/grants";
import { meQuery } from "../api/me";
import { useMay } from "../api/use-may";
import { useRoles } from "../api/use-roles";
import { useApprovalCount } from "../approvals/use-approval-count";
import { anyEvaluationQuery } from "../evaluations/evaluations-queries";
import { useLanguage } from "../language/language-context";
import {
  evaluationsSection,
  groups,
  reportSection,
  restrictionsSection,
  sectionsFor,
  systemsSection,
} from "../routes/sections";
import { Icon } from "../ui/icon";
import styles from "./shell.module.css";

/** Whether to show evaluations: always to dispatchers and reviewers, to other roles if there are any. */
function useHasEvaluations(roles: readonly string[]): boolean {
  const mayRead = permits(roles, "evaluations");
  const decides = roles.some((role) => ["dispatcher", "reviewer"].includes(grantOf(role).role));
  const query = useQuery({ ...anyEvaluationQuery, enabled: mayRead && !decides });
  return decides || (query.data ?? false);
}

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  const roles = useRoles();
  const hasSystems = Boolean(useQuery(meQuery).data?.automated_systems);
  const hasEvaluations = useHasEvaluations(roles);
  const isRepresentative = roles.some((role) => grantOf(role).role === "representative");
  const hasReport = isRepresentative || (hasEvaluations && permits(roles, "reports"));
  const id = useId();
  const shown = sectionsFor(texts, roles).flatMap((section) => [
    section,
    ...(hasSystems && section.to === "/terms"
      ? [{ ...systemsSection(texts), group: section.group }]
      : []),
    ...(hasReport && section.to === "/terms"
      ? [{ ...reportSection(texts), group: section.group }]
      : []),
    ...(hasEvaluations && section.to === "/people"
      ? [evaluationsSection(texts), restrictionsSection(texts)].map((added) => ({
          ...added,
          group: section.group,
        }))
      : []),
  ]);
  return (
    <nav aria-label={texts.nav.label}>
      {[undefined, ...groups].map((group) => {
        const members = shown.filter((section) => section.group === group);
        if (members.length === 0) return null;
        const title = group && texts.nav.groups[group];
        return (
          <div key={group ?? ""} className={styles.group}>
            {title && <p id={`${id}${group}`}>{title}</p>}
            <ul aria-labelledby={title && `${id}${group}`}>
              {members.map(({ to, label, icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to === "/", includeSearch: false }}
                    onClick={onGo}
                  >
                    <Icon name={icon} />
                    {label}
                    {to === "/approvals" && <Waiting />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

/** The number of changes that wait for an approval, for people who may give it. */
function Waiting() {
  const { language } = useLanguage();
  const may = useMay();
  const count = useApprovalCount(may("terms") || may("flags"));
  if (count === 0) return null;
  return <span className={styles.waiting}>{count.toLocaleString(language.tag)}</span>;
}
