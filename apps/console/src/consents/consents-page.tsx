import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { tabs } from "../routes/tabs";
import { Page } from "../ui/page";
import { Skeleton } from "../ui/skeleton";
import { TabBar } from "../ui/tab-bar";
import { useConsentsTexts } from "./texts/texts";

export function ConsentsPage() {
  const words = useConsentsTexts();
  const { texts } = useLanguage();
  const first = { to: "/consents", tab: "decisions" } as const;
  return (
    <Page title={words.title} intro={words.intro(timeZone())}>
      <TabBar label={words.tabs.label}>
        {[first, ...tabs.consents].map(({ to, tab }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {tab === "decisions" ? words.tabs.decisions : texts.tabs[tab]}
          </Link>
        ))}
      </TabBar>
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
    </Page>
  );
}
