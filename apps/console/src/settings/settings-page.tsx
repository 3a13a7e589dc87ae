import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { usePeopleTexts } from "../people/texts/texts";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { TabBar } from "../shell/tab-bar";
import { useSettingsTexts } from "./texts/texts";
import "../people/people.css";
import "./settings.css";

export function SettingsPage() {
  const words = useSettingsTexts();
  // Of its copy button: a dialog that had to wait for words would close.
  usePeopleTexts();
  const tabs = [
    { to: "/settings/keys", words: words.tabs.keys },
    { to: "/settings/users", words: words.tabs.users },
    { to: "/settings/environments", words: words.tabs.environments },
    { to: "/settings/sign-in", words: words.tabs.signIn },
    { to: "/settings/about", words: words.tabs.about },
  ] as const;
  return (
    <Page title={words.title}>
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
