import { Outlet } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import { Page } from "./page";
import { Skeleton } from "./skeleton";
import { TabBar } from "./tab-bar";

/** A page with tabs. Each tab has its own address. */
export function TabbedPage(props: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly label: string;
  /** Links to the tabs. */
  readonly children: ReactNode;
}) {
  return (
    <Page title={props.title} intro={props.intro}>
      <TabBar label={props.label}>{props.children}</TabBar>
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
    </Page>
  );
}
