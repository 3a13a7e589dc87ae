import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readMarketsSearch } from "../markets/markets-search";
import { inside } from "../routes/inside";
import { readKeysSearch } from "./keys-search";

const settings = createRoute({
  getParentRoute: () => inside,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings-page"), "SettingsPage"),
});

const under = () => settings;

const first = createRoute({
  getParentRoute: under,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/keys", replace: true });
  },
});

const keys = createRoute({
  getParentRoute: under,
  path: "/keys",
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => import("./keys-tab"), "KeysTab"),
});

const users = createRoute({
  getParentRoute: under,
  path: "/users",
  component: lazyRouteComponent(() => import("./users-tab"), "UsersTab"),
});

const serviceKeys = createRoute({
  getParentRoute: under,
  path: "/service-keys",
  component: lazyRouteComponent(() => import("../service-keys/service-keys-tab"), "ServiceKeysTab"),
});

const webhooks = createRoute({
  getParentRoute: under,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../webhooks/webhooks-tab"), "WebhooksTab"),
});

const webhook = createRoute({
  getParentRoute: under,
  path: "/webhooks/$webhookId",
  component: lazyRouteComponent(() => import("../webhooks/webhook-page"), "WebhookPage"),
});

const approval = createRoute({
  getParentRoute: under,
  path: "/approval",
  component: lazyRouteComponent(() => import("../approvals/rules-tab"), "ApprovalRulesTab"),
});

const markets = createRoute({
  getParentRoute: under,
  path: "/markets",
  validateSearch: readMarketsSearch,
  component: lazyRouteComponent(() => import("../markets/markets-tab"), "MarketsTab"),
});

const environments = createRoute({
  getParentRoute: under,
  path: "/environments",
  component: lazyRouteComponent(() => import("./environments-tab"), "EnvironmentsTab"),
});

const signIn = createRoute({
  getParentRoute: under,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./sign-in-tab"), "SignInTab"),
});

const about = createRoute({
  getParentRoute: under,
  path: "/about",
  component: lazyRouteComponent(() => import("./about-tab"), "AboutTab"),
});

export const settingsRoutes = [
  settings.addChildren([
    first,
    keys,
    users,
    serviceKeys,
    webhooks,
    webhook,
    approval,
    markets,
    environments,
    signIn,
    about,
  ]),
] as const;
