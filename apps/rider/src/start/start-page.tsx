import { Button } from "@musette/react/ui";
import { useState } from "react";
import { type DemoRider, demoRiders, displayName } from "../demo/demo";
import { useEnterDemo } from "../demo/use-enter-demo";
import { StartTip } from "../flags/start-tip";
import { SupportHours } from "../flags/support-hours";
import { useLanguage } from "../language/language-context";
import { FailureText, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { Link } from "../router/router";
import { session, useUserId } from "../session/session";
import { signInHref } from "../sign-in/next";

export function StartPage() {
  const { texts } = useLanguage();
  const demo = useLoad(demoRiders);
  const userId = useUserId();
  if (demo.state !== "ready") return <LoadingCards count={2} />;
  const isDemo = demo.value.length > 0;
  const [first, ...rest] = texts.start.sentences;
  return (
    <>
      <div className="hero">
        <h1>{texts.start.title}</h1>
        <p className="lead">{first}</p>
        {rest.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {userId && <SignedIn userId={userId} />}
      <div className="doors">
        <ApplicantDoor isDemo={isDemo} />
        {isDemo ? <RiderDoor riders={demo.value} /> : !userId && <RidersNote />}
      </div>
      {isDemo && <p className="note">{texts.start.demo}</p>}
      <StartTip />
    </>
  );
}

function SignedIn({ userId }: { readonly userId: string }) {
  const { texts } = useLanguage();
  return (
    <section className="card signed-in">
      <p>
        <bdi>{texts.start.signedInAs(displayName(userId))}</bdi>
      </p>
      <div className="ways">
        <Link className="mu-button" data-kind="primary" href="/terms">
          {texts.start.openTerms}
        </Link>
        <Link className="mu-button" data-kind="secondary" href="/devices">
          {texts.devices.title}
        </Link>
        <Button kind="quiet" onClick={() => session.logout()}>
          {texts.start.leave}
        </Button>
      </div>
      <SupportHours />
    </section>
  );
}

function ApplicantDoor({ isDemo }: { readonly isDemo: boolean }) {
  const { texts } = useLanguage();
  return (
    <section className="card door">
      <p>{isDemo ? texts.start.applicantHint : texts.start.applyHint}</p>
      <Link className="mu-button" data-kind="primary" href="/apply">
        {isDemo ? texts.start.asApplicant : texts.start.apply}
      </Link>
    </section>
  );
}

function RiderDoor({ riders }: { readonly riders: readonly DemoRider[] }) {
  const { texts } = useLanguage();
  const { entering, error, enter } = useEnterDemo();
  const [chosen, setChosen] = useState(0);
  const rider = riders[chosen];
  return (
    <section className="card door">
      <p>{texts.start.riderHint}</p>
      {riders.length > 1 && (
        <label className="choice">
          <span>{texts.start.whichRider}</span>
          <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {riders.map(({ user_id, name }, i) => (
              <option key={user_id} value={i}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {error !== undefined && <FailureText error={error} />}
      <Button kind="primary" loading={entering} onClick={() => rider && enter(rider)}>
        {entering ? texts.start.starting : texts.start.asRider}
      </Button>
      <Link className="mu-button" data-kind="quiet" href={signInHref("/terms")}>
        {texts.start.withCode}
      </Link>
    </section>
  );
}

function RidersNote() {
  const { texts } = useLanguage();
  return (
    <section className="card door">
      <h2>{texts.start.ridersTitle}</h2>
      <p>{texts.start.ridersText}</p>
      <Link className="mu-button" data-kind="secondary" href={signInHref("/terms")}>
        {texts.signIn.title}
      </Link>
    </section>
  );
}
