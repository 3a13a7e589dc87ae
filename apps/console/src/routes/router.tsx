import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { readAuditSearch } from "../audit/audit-search";
import { OverviewPage } from "../overview/overview-page";
import { queryClient } from "../query/query-client";
import { isSignedIn, session, wasEnded } from "../session/session";
import { NotFoundPage } from "../shell/not-found-page";
import { Shell } from "../shell/shell";
import { SignInPage } from "../sign-in/sign-in-page";
import { readSignInSearch } from "../sign-in/sign-in-search";

// Every address of the console, in one place.

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readSignInSearch,
  component: SignInPage,
});

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: ({ location }) => {
    if (!isSignedIn()) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
  component: Shell,
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: "/",
  component: OverviewPage,
});

const audit = createRoute({
  getParentRoute: () => inside,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("../audit/audit-page"), "AuditPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([signIn, inside.addChildren([overview, audit])]),
  basepath: "/console",
  scrollRestoration: true,
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// Whoever is signed out sees nothing of what the one before has looked at.
let wasSignedIn = isSignedIn();
session.subscribe(() => {
  const is = isSignedIn();
  if (wasSignedIn && !is) {
    const next = router.state.location.href;
    void router
      .navigate({ to: "/sign-in", search: wasEnded() ? { next, trouble: "ended" } : {} })
      // Not before: a page that is still there would ask again, signed out.
      .then(() => queryClient.removeQueries({ type: "inactive" }));
  }
  wasSignedIn = is;
});
