import { DEFAULT_TERMS_TYPE } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { type ReactNode, useCallback, useEffect } from "react";
import { SupportHours } from "../flags/support-hours";
import { dateAndTime, day } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { FailureText, LoadingCards, useWhenResumed } from "../loading/states";
import { NewNotice } from "../notices/new-notice";
import { useNotices } from "../notices/notices-page";
import { AsOf } from "../offline/offline-note";
import { type StoredLoaded, useStoredLoad } from "../offline/use-stored-load";
import { PushCard } from "../push/push-card";
import { JoinOffers } from "../receipts/join-offers";
import { CurrentRestrictions } from "../restrictions/current-restrictions";
import { Link } from "../router/router";
import { useMe } from "../session/me";
import { leaveSession } from "../session/person";
import { systemsHref } from "../systems/systems";
import { pendingStep, pendingTexts } from "../terms/pending-texts";
import { termsClient } from "../terms/terms-client";
import { usePending } from "../terms/use-pending";
import { WorkRecordLink } from "../work-record/work-record-link";
import { type Standing, standingOf } from "./standing";

/**
 * Shows whether the rider must do something, by when, and one button for it. What follows is shown
 * together with the status, whose height is not known before.
 */
export function RiderStatus(props: { readonly userId: string; readonly children?: ReactNode }) {
  const { userId } = props;
  const { language, texts } = usePageLanguage();
  const me = useMe(userId);
  // A greeting can wait, and an id is not a name.
  const name = me?.name;
  const pending = usePending(userId);
  const load = useCallback(async () => {
    const query = { userId, termsType: DEFAULT_TERMS_TYPE };
    return standingOf(await termsClient(language.tag, userId).fetchOutstanding(query));
  }, [userId, language.tag]);
  // A pending submission changes the answer. Fetched before it, the answer would still report
  // something missing.
  const loaded = useStoredLoad(`standing ${language.tag}`, pending === false ? load : undefined);
  const { reload } = loaded;
  useWhenResumed(reload);
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && reload();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [reload]);

  const notices = useNotices(userId);
  const listed = notices.state === "ready" ? notices.value : [];
  const isLoading = pending === undefined || (!pending && loaded.state === "loading");
  return (
    <>
      <CurrentRestrictions userId={userId} />
      {/* Before the status, because a joined agreement may be all that the status below requires. */}
      <JoinOffers userId={userId} onJoined={reload} />
      <section className="card status" data-standing={kindOf(loaded, pending)}>
        <p className="greeting">
          {name ? <bdi>{texts.status.hello(name)}</bdi> : texts.status.signedIn}
        </p>
        <div role="status" className="status-text">
          {pending ? (
            <StatusText {...pendingTexts(texts, pending.state)} />
          ) : loaded.state === "loading" || isLoading ? (
            <p>{texts.status.loading}</p>
          ) : loaded.state === "failed" ? (
            <StatusText title={texts.status.unknown} />
          ) : (
            <StandingStatus standing={loaded.value} />
          )}
        </div>
        {!pending && <AsOf at={loaded.keptAt} />}
        {!pending && loaded.state === "failed" && <FailureText error={loaded.error} />}
        {!isLoading && (
          <div className="ways">
            <NextStep loaded={loaded} pending={pending} />
          </div>
        )}
      </section>
      {!isLoading && <NewNotice notices={listed} userId={userId} />}
      {/* Only after the rider has agreed: before it, there is something more important to do. */}
      {kindOf(loaded, pending) === "done" && <PushCard userId={userId} />}
      {isLoading ? (
        <LoadingCards count={2} />
      ) : (
        <Account userId={userId} pending={pending} hasNotices={listed.length > 0} />
      )}
      {!isLoading && props.children}
    </>
  );
}

function Account(props: {
  readonly userId: string;
  readonly pending: Pending;
  readonly hasNotices: boolean;
}) {
  const { texts } = usePageLanguage();
  const { userId, pending } = props;
  const systems = systemsHref(useMe(userId));
  return (
    <section className="card account">
      <div className="ways">
        <Link className="mu-button" data-kind="secondary" href="/devices">
          {texts.devices.title}
        </Link>
        {props.hasNotices && (
          <Link className="mu-button" data-kind="secondary" href="/notices">
            {texts.notices.title}
          </Link>
        )}
        {systems && (
          <Link className="mu-button" data-kind="secondary" href={systems}>
            {texts.systems.title}
          </Link>
        )}
        <WorkRecordLink userId={userId} />
        <Button kind="quiet" onClick={leaveSession}>
          {texts.start.leave}
        </Button>
      </div>
      {pending && pending.state === "unsent" && <p className="note">{texts.offline.leave}</p>}
      <SupportHours />
    </section>
  );
}

type LoadedStanding = StoredLoaded<Standing>;
type Pending = ReturnType<typeof usePending>;

function kindOf(loaded: LoadedStanding, pending: Pending): string {
  if (pending) return "pending";
  return loaded.state === "ready" && pending === false ? loaded.value.kind : loaded.state;
}

function StatusText(props: { readonly title: string; readonly text?: string }) {
  return (
    <>
      <h1>{props.title}</h1>
      {props.text && <p>{props.text}</p>}
    </>
  );
}

function StandingStatus({ standing }: { readonly standing: Standing }) {
  const { language, texts } = usePageLanguage();
  const { tag } = language;
  switch (standing.kind) {
    case "done":
      return <StatusText title={texts.status.done} text={texts.status.doneText} />;
    case "now":
      return <StatusText title={texts.status.now(standing.count)} text={texts.status.nowText} />;
    case "by":
      return (
        <StatusText
          title={texts.status.by(standing.count, day(tag, standing.until))}
          text={texts.status.byText(dateAndTime(tag, standing.until))}
        />
      );
  }
}

/** Shows one button for the next step, whatever is known. */
function NextStep(props: {
  readonly loaded: LoadedStanding;
  readonly pending: Pending;
}): ReactNode {
  const { texts } = usePageLanguage();
  const { loaded, pending } = props;
  const to = (href: string, label: string) => (
    <Link className="mu-button" data-kind="primary" href={href}>
      {label}
    </Link>
  );
  if (pending) return to(pending.at, pendingStep(texts, pending.state));
  if (loaded.state === "failed") {
    return (
      <Button kind="primary" onClick={loaded.reload}>
        {texts.tryAgain}
      </Button>
    );
  }
  if (loaded.state !== "ready") return null;
  return loaded.value.kind === "done"
    ? to("/agreements", texts.agreements.title)
    : to("/terms", texts.status.review);
}
