import { usePageLanguage } from "../language/page-language";
import { Link } from "../router/router";
import { canRequestReview, isCurrent, type Restriction } from "./restriction";
import { RestrictionCard } from "./restriction-card";
import { useRestrictions } from "./use-restrictions";

/**
 * The restrictions that apply now or later, first on the start page. Ended ones are on their own page, with
 * a link as long as a review is possible or waits for its answer.
 */
export function CurrentRestrictions({ userId }: { readonly userId: string }) {
  const { texts } = usePageLanguage();
  const loaded = useRestrictions(userId);
  if (loaded.state !== "ready") return null;
  const now = new Date();
  const current = loaded.value.filter((one) => isCurrent(one, now));
  const isOpen = (one: Restriction) =>
    !isCurrent(one, now) && (canRequestReview(one, now) || one.review?.outcome === null);
  return (
    <>
      {current.map((restriction) => (
        <RestrictionCard
          key={restriction.id}
          userId={userId}
          restriction={restriction}
          onChanged={loaded.reload}
        />
      ))}
      {loaded.value.some(isOpen) && (
        <p>
          <Link className="work-link" href="/restrictions">
            {texts.restriction.title}
          </Link>
        </p>
      )}
    </>
  );
}
