import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readReportSearch } from "./report-search";

const report = createRoute({
  getParentRoute: () => inside,
  path: "/decisions-report",
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import("./report-page"), "ReportPage"),
});

export const reportsRoutes = [report] as const;
