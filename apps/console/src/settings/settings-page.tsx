import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { useLanguage } from "../language/language-context";
import { usePeopleTexts } from "../people/texts/texts";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { TabBar } from "../shell/tab-bar";
import { tabs } from "../shell/tabs";
import { useSettingsTexts } from "./texts/texts";
import "../people/people.css";
import "./settings.css";

export function SettingsPage() {
  const words = useSettingsTexts();
  // Of its copy button: a dialog that had to wait for words would close.
  usePeopleTexts();
  const { texts } = useLanguage();
  return (
    <Page title={words.title}>
      <TabBar label={words.tabs.label}>
        {tabs.settings.map(({ to, tab }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {texts.tabs[tab]}
          </Link>
        ))}
      </TabBar>
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
    </Page>
  );
}
