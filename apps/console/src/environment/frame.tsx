import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { Tagged } from "../api/admin";
import { useDiffTexts } from "../diff/texts/texts";
import { Page } from "../shell/page";
import { Skeleton } from "../shell/skeleton";
import { LoadFailed } from "../shell/states";
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
  const { tabs } = useEnvironmentTexts();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tabs scroll: the one that is open is among those in view.
    const open = bar.current?.querySelector("[aria-current=page]");
    open?.scrollIntoView({ block: "nearest", inline: "center" });
  }, []);
  return (
    <nav ref={bar} className="tabs" aria-label={tabs.label}>
      <Link to="/flags" activeOptions={{ exact: true, includeSearch: false }}>
        {tabs.flags}
      </Link>
      <Link to="/flags/segments" activeOptions={{ includeSearch: false }}>
        {tabs.segments}
      </Link>
      <Link to="/flags/history" activeOptions={{ includeSearch: false }}>
        {tabs.history}
      </Link>
      <Link to="/flags/planned" activeOptions={{ includeSearch: false }}>
        {tabs.planned}
      </Link>
      <Link to="/flags/stale" activeOptions={{ includeSearch: false }}>
        {tabs.stale}
      </Link>
      <Link to="/flags/json" activeOptions={{ includeSearch: false }}>
        {tabs.json}
      </Link>
    </nav>
  );
}
