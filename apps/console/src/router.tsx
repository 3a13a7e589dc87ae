import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { accountRoutes, reauthenticatedRoute } from "./account/routes";
import { queryClient } from "./api/query-client";
import { approvalsRoutes } from "./approvals/routes";
import { readAuditSearch } from "./audit/audit-search";
import { campaignsRoutes } from "./campaigns/routes";
import { inEnvironment } from "./configuration/document/route";
import { consentsRoutes } from "./consents/routes";
import { environmentsRoutes } from "./environments/routes";
import { evaluationsRoutes } from "./evaluations/routes";
import { experimentsRoutes } from "./experiments/routes";
import { flagsRoutes } from "./flags/routes";
import { holdoutsRoutes } from "./holdouts/routes";
import { metricsRoutes } from "./metrics/routes";
import { OverviewPage } from "./overview/overview-page";
import { peopleRoutes } from "./people/routes";
import { reportsRoutes } from "./reports/routes";
import { restrictionsRoutes } from "./restrictions/routes";
import { inside, root } from "./routes/inside";
import { segmentsRoutes } from "./segments/routes";
import { isSignedIn, isSigningOut, session } from "./session/session";
import { settingsRoutes } from "./settings/routes";
import { Shell } from "./shell/shell";
import { SignInPage } from "./sign-in/sign-in-page";
import { readSignInSearch } from "./sign-in/sign-in-search";
import { forgetVisits } from "./storage/recent";
import { systemsRoutes } from "./systems/routes";
import { termsRoutes } from "./terms/routes";
import { PageFailed } from "./ui/page-failed";
import { PagePending } from "./ui/page-pending";

// All routes of the console, from the lists in its folders.

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readSignInSearch,
  component: SignInPage,
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
  component: lazyRouteComponent(() => import("./audit/audit-page"), "AuditPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    reauthenticatedRoute,
    inside
      .update({ component: Shell })
      .addChildren([
        overview,
        audit,
        ...termsRoutes,
        ...approvalsRoutes,
        ...peopleRoutes,
        ...consentsRoutes,
        ...campaignsRoutes,
        ...systemsRoutes,
        ...evaluationsRoutes,
        ...restrictionsRoutes,
        ...reportsRoutes,
        inEnvironment.addChildren([
          ...flagsRoutes,
          ...environmentsRoutes,
          ...segmentsRoutes,
          ...metricsRoutes,
          ...experimentsRoutes,
          ...holdoutsRoutes,
        ]),
        ...settingsRoutes,
        ...accountRoutes,
      ]),
  ]),
  basepath: "/console",
  scrollRestoration: true,
  defaultPreload: "intent",
  defaultErrorComponent: PageFailed,
  defaultPendingComponent: PagePending,
  // The previous page remains until then: most pages load sooner, which avoids flickering.
  defaultPendingMs: 250,
  defaultPendingMinMs: 300,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// After a sign-out, no cached data may be shown to the next person.
let wasSignedIn = isSignedIn();
session.subscribe(() => {
  const is = isSignedIn();
  if (wasSignedIn && !is) {
    const hasEnded = !isSigningOut();
    if (!hasEnded) forgetVisits();
    const { href, pathname } = router.state.location;
    // A person who was setting up something on the sign-in page is already there.
    const next = pathname === "/sign-in" ? {} : { next: href };
    void router
      .navigate({ to: "/sign-in", search: hasEnded ? { ...next, trouble: "ended" } : {} })
      // Only now, because a mounted page would fetch again without a session.
      .then(() => queryClient.removeQueries({ type: "inactive" }));
  }
  wasSignedIn = is;
});
