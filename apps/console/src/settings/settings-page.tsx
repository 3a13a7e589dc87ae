import { Link, Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { useLanguage } from "../language/language-context";
import { tabs } from "../routes/tabs";
import { Page } from "../ui/page";
import { Skeleton } from "../ui/skeleton";
import { TabBar } from "../ui/tab-bar";
import { useSettingsTexts } from "./texts/texts";

export function SettingsPage() {
  const words = useSettingsTexts();
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
