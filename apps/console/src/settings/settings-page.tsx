import { Link } from "@tanstack/react-router";
import { useLanguage } from "../language/language-context";
import { tabs } from "../routes/tabs";
import { TabbedPage } from "../ui/tabbed-page";
import { useSettingsTexts } from "./texts/texts";

export function SettingsPage() {
  const settingsTexts = useSettingsTexts();
  const { texts } = useLanguage();
  return (
    <TabbedPage title={settingsTexts.title} label={settingsTexts.tabs.label}>
      {tabs.settings.map(({ to, tab }) => (
        <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
          {texts.tabs[tab]}
        </Link>
      ))}
    </TabbedPage>
  );
}
