import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Tagged } from "../api/admin";
import { useDiffTexts } from "../diff/texts/texts";
import { useLanguage } from "../language/language-context";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { LoadFailed } from "../shell/states";
import { TabBar } from "../shell/tab-bar";
import { tabs } from "../shell/tabs";
import type { FlagsDocument } from "./document";
import { EnvironmentSwitch } from "./environment-switch";
import { useFlagsDocument } from "./flags-document";
import { useEnvironmentTexts } from "./texts/texts";
import { useEnvironment } from "./use-environment";

interface FrameProps {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Asked for once the document is there. */
  readonly children: (env: string, base: Tagged<FlagsDocument>) => ReactNode;
}

/** Above all pages about one environment's flags: which one it is, and the ways between them. */
export function FlagsFrame({ title, intro, children }: FrameProps) {
  return (
    <Page title={title} intro={intro}>
      <div className="flags-head">
        <FlagsTabs />
        <EnvironmentSwitch />
      </div>
      <WithDocument>{children}</WithDocument>
    </Page>
  );
}

export function WithDocument({ children }: Pick<FrameProps, "children">) {
  const words = useEnvironmentTexts();
  // Whatever is done with a document is told by them.
  useDiffTexts();
  const { env, environments } = useEnvironment();
  const document = useFlagsDocument(env);
  if (environments.isError) {
    return <LoadFailed error={environments.error} onRetry={environments.refetch} />;
  }
  if (environments.isSuccess && !env) {
    return (
      <div className="card calm">
        <p>{words.none}</p>
        <p className="note">{words.noneHint}</p>
      </div>
    );
  }
  if (document.isError) return <LoadFailed error={document.error} onRetry={document.refetch} />;
  if (!document.data) return <Skeleton rows={8} />;
  return children(env, document.data);
}

function FlagsTabs() {
  const words = useEnvironmentTexts().tabs;
  const { texts } = useLanguage();
  const first = { to: "/flags", tab: "flags" } as const;
  return (
    <TabBar label={words.label}>
      {[first, ...tabs.flags].map(({ to, tab }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {tab === "flags" ? words.flags : texts.tabs[tab]}
        </Link>
      ))}
    </TabBar>
  );
}
