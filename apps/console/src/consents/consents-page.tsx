import { Link } from "@tanstack/react-router";
import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { tabs } from "../routes/tabs";
import { TabbedPage } from "../ui/tabbed-page";
import { useConsentsTexts } from "./texts/texts";

export function ConsentsPage() {
  const consentsTexts = useConsentsTexts();
  const { texts } = useLanguage();
  const first = { to: "/consents", tab: "decisions" } as const;
  return (
    <TabbedPage
      title={consentsTexts.title}
      intro={consentsTexts.intro(timeZone())}
      label={consentsTexts.tabs.label}
    >
      {[first, ...tabs.consents].map(({ to, tab }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {tab === "decisions" ? consentsTexts.tabs.decisions : texts.tabs[tab]}
        </Link>
      ))}
    </TabbedPage>
  );
}
