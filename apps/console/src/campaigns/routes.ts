import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../routes/inside";
import { readCampaignSearch, readCampaignsSearch, readNewCampaignSearch } from "./campaigns-search";

const campaigns = createRoute({
  getParentRoute: () => inside,
  path: "/campaigns",
  validateSearch: readCampaignsSearch,
  component: lazyRouteComponent(() => import("./campaigns-page"), "CampaignsPage"),
});

const newCampaign = createRoute({
  getParentRoute: () => inside,
  path: "/campaigns/new",
  validateSearch: readNewCampaignSearch,
  component: lazyRouteComponent(() => import("./edit/new-campaign-page"), "NewCampaignPage"),
});

const campaign = createRoute({
  getParentRoute: () => inside,
  path: "/campaigns/$campaignId",
  validateSearch: readCampaignSearch,
  component: lazyRouteComponent(() => import("./campaign/campaign-page"), "CampaignPage"),
});

const edit = createRoute({
  getParentRoute: () => inside,
  path: "/campaigns/$campaignId/edit",
  component: lazyRouteComponent(() => import("./edit/edit-campaign-page"), "EditCampaignPage"),
});

export const campaignsRoutes = [campaigns, newCampaign, campaign, edit] as const;
