import { Link } from "@tanstack/react-router";
import { useRoles } from "../api/use-roles";
import { useLanguage } from "../language/language-context";
import { mayOpenTab, tabs } from "../routes/tabs";
import { TabbedPage } from "../ui/tabbed-page";
import { useSettingsTexts } from "./texts/texts";

export function SettingsPage() {
  const settingsTexts = useSettingsTexts();
  const { texts } = useLanguage();
  const roles = useRoles();
  return (
    <TabbedPage title={settingsTexts.title} label={settingsTexts.tabs.label}>
      {tabs.settings
        .filter(({ to }) => mayOpenTab(roles, to))
        .map(({ to, tab }) => (
          <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
            {texts.tabs[tab]}
          </Link>
        ))}
    </TabbedPage>
  );
}
