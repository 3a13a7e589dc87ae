import { Link } from "@tanstack/react-router";
import { useLanguage } from "../language/language-context";
import { sections } from "../routes/sections";
import { Icon } from "../ui/icon";

export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  return (
    <nav aria-label={texts.nav.label}>
      <ul>
        {sections(texts).map(({ to, label, icon }) => (
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
