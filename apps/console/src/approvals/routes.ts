import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";

const approvals = createRoute({
  getParentRoute: () => inside,
  path: "/approvals",
  component: lazyRouteComponent(() => import("./approvals-page"), "ApprovalsPage"),
});

export const approvalsRoutes = [approvals] as const;
