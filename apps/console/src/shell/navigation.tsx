import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { grantOf, permits } from "../api/grants";
import { meQuery } from "../api/me";
import { useRoles } from "../api/use-roles";
import { anyEvaluationQuery } from "../evaluations/evaluations-queries";
import { useLanguage } from "../language/language-context";
import {
  evaluationsSection,
  restrictionsSection,
  sectionsFor,
  systemsSection,
} from "../routes/sections";
import { Icon } from "../ui/icon";

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
  const shown = sectionsFor(texts, roles).flatMap((section) => [
    section,
    ...(hasSystems && section.to === "/terms" ? [systemsSection(texts)] : []),
    ...(hasEvaluations && section.to === "/people"
      ? [evaluationsSection(texts), restrictionsSection(texts)]
      : []),
  ]);
  return (
    <nav aria-label={texts.nav.label}>
      <ul>
        {shown.map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === "/", includeSearch: false }}
              onClick={onGo}
            >
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
