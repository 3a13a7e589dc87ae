import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { timeZone } from "../language/dates";
import { usePeopleTexts } from "../people/texts/texts";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { TabBar } from "../shell/tab-bar";
import { useConsentsTexts } from "./texts/texts";
import "../people/people.css";
import "./consents.css";

export function ConsentsPage() {
  const words = useConsentsTexts();
  // Of its copy button: a dialog that had to wait for words would close.
  usePeopleTexts();
  const tabs = [
    { to: "/consents", words: words.tabs.decisions },
    { to: "/consents/verify", words: words.tabs.verify },
    { to: "/consents/log", words: words.tabs.log },
  ] as const;
  return (
    <Page title={words.title} intro={words.intro(timeZone())}>
      <TabBar label={words.tabs.label}>
        {tabs.map(({ to, words }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {words}
          </Link>
        ))}
      </TabBar>
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
    </Page>
  );
}
