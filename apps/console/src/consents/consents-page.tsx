import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { timeZone } from "../language/dates";
import { useLanguage } from "../language/language-context";
import { usePeopleTexts } from "../people/texts/texts";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { TabBar } from "../shell/tab-bar";
import { tabs } from "../shell/tabs";
import { useConsentsTexts } from "./texts/texts";
import "../people/people.css";
import "./consents.css";

export function ConsentsPage() {
  const words = useConsentsTexts();
  // Of its copy button: a dialog that had to wait for words would close.
  usePeopleTexts();
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
