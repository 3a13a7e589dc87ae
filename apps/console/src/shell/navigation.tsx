import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "../api/me";
import { useLanguage } from "../language/language-context";
import { sections, systemsSection } from "../routes/sections";
import { Icon } from "../ui/icon";

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  const hasSystems = Boolean(useQuery(meQuery).data?.automated_systems);
  const shown = sections(texts).flatMap((section) =>
    hasSystems && section.to === "/consents" ? [section, systemsSection(texts)] : [section],
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
