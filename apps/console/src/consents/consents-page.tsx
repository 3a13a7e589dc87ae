import { Link } from "@tanstack/react-router";
import { useMay } from "../api/use-may";
import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { tabs } from "../routes/tabs";
import { TabbedPage } from "../ui/tabbed-page";
import { useConsentsTexts } from "./texts/texts";

export function ConsentsPage() {
  const consentsTexts = useConsentsTexts();
  const { texts } = useLanguage();
  const may = useMay();
  const first = { to: "/consents", tab: "decisions" } as const;
  return (
    <TabbedPage
      title={consentsTexts.title}
      intro={consentsTexts.intro(timeZone())}
      label={consentsTexts.tabs.label}
    >
      {[...(may("personal") ? [first] : []), ...tabs.consents].map(({ to, tab }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {tab === "decisions" ? consentsTexts.tabs.decisions : texts.tabs[tab]}
        </Link>
      ))}
    </TabbedPage>
  );
}
