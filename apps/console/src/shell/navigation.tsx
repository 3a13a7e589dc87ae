import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "../api/me";
import { useRoles } from "../api/use-roles";
import { useLanguage } from "../language/language-context";
import { sectionsFor, systemsSection } from "../routes/sections";
import { Icon } from "../ui/icon";

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  const roles = useRoles();
  const hasSystems = Boolean(useQuery(meQuery).data?.automated_systems);
  const shown = sectionsFor(texts, roles).flatMap((section) =>
    hasSystems && section.to === "/terms" ? [section, systemsSection(texts)] : [section],
  );
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
