import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { useLanguage } from "../language/language-context";
import { useDay } from "../language/use-day";
import { authenticatorQuery } from "../sign-in/authenticator-query";
import bannerStyles from "../ui/banner.module.css";

/** Warns an admin without a second factor of the deadline, and links to the setup. */
export function SecondFactorBanner() {
  const { texts } = useLanguage();
  const written = useDay();
  const next = useRouterState({ select: (state) => state.location.href });
  const from = useQuery(authenticatorQuery).data?.required_from;
  if (!from) return null;
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
