import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { meQuery } from "../api/me";
import { useMay } from "../api/use-may";
import { useRoles } from "../api/use-roles";
import { useApprovalCount } from "../approvals/use-approval-count";
import { useLanguage } from "../language/language-context";
import { groups, sectionsFor, systemsSection } from "../routes/sections";
import { Icon } from "../ui/icon";
import styles from "./shell.module.css";

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  const roles = useRoles();
  const hasSystems = Boolean(useQuery(meQuery).data?.automated_systems);
  const id = useId();
  const shown = sectionsFor(texts, roles).flatMap((section) =>
    hasSystems && section.to === "/terms"
      ? [section, { ...systemsSection(texts), group: section.group }]
      : [section],
  );
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
