import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { entersConsole } from "../api/grants";
import { useRoles } from "../api/use-roles";
import { useLanguage } from "../language/language-context";
import { useDay } from "../language/use-day";
import { authenticatorQuery } from "../sign-in/authenticator-query";
import bannerStyles from "../ui/banner.module.css";
import { Icon } from "../ui/icon";
import quietStyles from "../ui/quiet-button.module.css";

/** The days before the deadline in which the warning is on every page. */
const URGENT_MS = 3 * 86_400_000;

/**
 * Warns an admin without a second factor of the deadline, and links to the setup. Before the
 * last days, only the home page and the account menu show the warning.
 */
export function SecondFactorBanner() {
  const { texts } = useLanguage();
  const written = useDay();
  const next = useRouterState({ select: (state) => state.location.href });
  const isHome = useRouterState({ select: (state) => state.location.pathname === "/" });
  const from = useQuery(authenticatorQuery).data?.required_from;
  if (!from || !(isHome || isUrgent(from))) return null;
  const secondFactorTexts = texts.secondFactor;
  const isDue = Date.parse(from) <= Date.now();
  return (
    <aside className={bannerStyles.banner} aria-label={texts.signIn.setUpTitle}>
      {isDue ? secondFactorTexts.overdue : secondFactorTexts.due(written(from))}{" "}
      <Link to="/sign-in" search={{ next, set_up: "authenticator" }}>
        {secondFactorTexts.setUp}
      </Link>
    </aside>
  );
}

export function isUrgent(from: string, now = Date.now()): boolean {
  return Date.parse(from) - now <= URGENT_MS;
}

/** The link to the setup in the account menu. */
export function SecondFactorLink({ onGo }: { readonly onGo?: () => void }) {
  const { texts } = useLanguage();
  const next = useRouterState({ select: (state) => state.location.href });
  // People without access must not send this request: the menu is also on the page that refuses them.
  const enabled = entersConsole(useRoles());
  if (!useQuery({ ...authenticatorQuery, enabled }).data?.required_from) return null;
  return (
    <Link
      className={quietStyles.quiet}
      to="/sign-in"
      search={{ next, set_up: "authenticator" }}
      {...(onGo && { onClick: onGo })}
    >
      <Icon name="account" />
      {texts.signIn.setUpTitle}
    </Link>
  );
}
