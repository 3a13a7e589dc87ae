import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readCoverageSearch } from "./coverage/coverage-search";
import { readTermsSearch } from "./terms-search";

const terms = createRoute({
  getParentRoute: () => inside,
  path: "/terms",
  validateSearch: readTermsSearch,
  component: lazyRouteComponent(() => import("./terms-page"), "TermsPage"),
});

const draft = createRoute({
  getParentRoute: () => inside,
  path: "/terms/drafts/$draftId",
  component: lazyRouteComponent(() => import("./draft/draft-page"), "DraftPage"),
});

const term = createRoute({
  getParentRoute: () => inside,
  path: "/terms/$termId",
  component: lazyRouteComponent(() => import("./term/term-page"), "TermPage"),
});

const coverage = createRoute({
  getParentRoute: () => inside,
  path: "/terms/$termId/coverage",
  validateSearch: readCoverageSearch,
  component: lazyRouteComponent(() => import("./coverage/coverage-page"), "CoveragePage"),
});

const reach = createRoute({
  getParentRoute: () => inside,
  path: "/terms/$termId/reach",
  component: lazyRouteComponent(() => import("./reach/reach-page"), "ReachPage"),
});

export const termsRoutes = [terms, draft, term, coverage, reach] as const;
