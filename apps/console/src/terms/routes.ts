import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";

const terms = createRoute({
  getParentRoute: () => inside,
  path: "/terms",
  component: lazyRouteComponent(() => import("./terms-page"), "TermsPage"),
});

export const termsRoutes = [terms] as const;
