import { Link } from "@tanstack/react-router";
import { useRoles } from "../api/use-roles";
import { useLanguage } from "../language/language-context";
import { sectionsFor } from "../routes/sections";
import { Icon } from "../ui/icon";

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  const roles = useRoles();
  return (
    <nav aria-label={texts.nav.label}>
      <ul>
        {sectionsFor(texts, roles).map(({ to, label, icon }) => (
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
