import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards, useWhenResumed } from "../loading/states";
import { AsOf } from "../offline/offline-note";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { RestrictionCard } from "./restriction-card";
import { useRestrictions } from "./use-restrictions";

/** All restrictions of the rider, newest first. */
export function RestrictionsPage() {
  const userId = useUserId();
  const ended = useEnded();
  return userId ? <Restrictions key={userId} userId={userId} /> : <SignedOut ended={ended} />;
}

function Restrictions({ userId }: { readonly userId: string }) {
  const { texts } = usePageLanguage();
  const loaded = useRestrictions(userId);
  useWhenResumed(loaded.reload);
  return (
    <>
      <h1>{texts.restriction.title}</h1>
      {loaded.state === "loading" && <LoadingCards count={1} />}
      {loaded.state === "failed" && <LoadFailed error={loaded.error} onRetry={loaded.reload} />}
      {loaded.state === "ready" && (
        <>
          <AsOf at={loaded.keptAt} />
          {loaded.value.length === 0 && <p className="card">{texts.restriction.none}</p>}
          {loaded.value.map((restriction) => (
            <RestrictionCard
              key={restriction.id}
              userId={userId}
              restriction={restriction}
              onChanged={loaded.reload}
            />
          ))}
        </>
      )}
    </>
  );
}
