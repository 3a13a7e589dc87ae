import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Tagged } from "../api/client";
import { useLanguage } from "../language/language-context";
import { tabs } from "../routes/tabs";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { TabBar } from "../ui/tab-bar";
import type { FlagsDocument } from "./document/document";
import { EnvironmentSwitch } from "./document/environment-switch";
import { useFlagsDocument } from "./document/flags-document";
import { useEnvironment } from "./document/use-environment";
import { NoEnvironment } from "./no-environment";
import { useReviewTexts } from "./review/texts/texts";
import { useConfigurationTexts } from "./texts/texts";

interface FrameProps {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Called once the configuration is loaded. */
  readonly children: (env: string, base: Tagged<FlagsDocument>) => ReactNode;
}

/** The header of all pages about flags: the tabs, and the environment switch. */
export function FlagsFrame({ title, intro, children }: FrameProps) {
  return (
    <Page title={title} intro={intro}>
      <PageTools>
        <EnvironmentSwitch />
      </PageTools>
      <FlagsTabs />
      <WithDocument>{children}</WithDocument>
    </Page>
  );
}

export function WithDocument({ children }: Pick<FrameProps, "children">) {
  // Preloads the texts of the review dialog.
  useReviewTexts();
  const { env, environments } = useEnvironment();
  const document = useFlagsDocument(env);
  if (environments.isError) {
    return <LoadFailed error={environments.error} onRetry={environments.refetch} />;
  }
  if (environments.isSuccess && !env) return <NoEnvironment />;
  // Before that, the environment of the last visit may not exist any more.
  if (environments.isPending && !document.data) return <Skeleton rows={8} />;
  if (document.isError) return <LoadFailed error={document.error} onRetry={document.refetch} />;
  if (!document.data) return <Skeleton rows={8} />;
  return children(env, document.data);
}

function FlagsTabs() {
  const tabsTexts = useConfigurationTexts().tabs;
  const { texts } = useLanguage();
  const first = { to: "/flags", tab: "flags" } as const;
  return (
    <TabBar label={tabsTexts.label}>
      {[first, ...tabs.flags].map(({ to, tab }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {tab === "flags" ? tabsTexts.flags : texts.tabs[tab]}
        </Link>
      ))}
    </TabBar>
  );
}
