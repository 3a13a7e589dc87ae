import { Button } from "@musette/react/ui";
import { useState } from "react";
import { company } from "../company/company";
import { type DemoRider, demoRiders } from "../demo/demo";
import { useEnterDemo } from "../demo/use-enter-demo";
import { StartTip } from "../flags/start-tip";
import { usePageLanguage } from "../language/page-language";
import { FailureText, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { Link } from "../router/router";
import { signInHref } from "../router/sign-in-address";
import { useLeftOpen } from "../session/log-out";
import { useUserId } from "../session/session";
import { AnotherApplicant } from "./another-door";
import { ApplicantStatus, useApplied } from "./applicant-status";
import { RiderStatus } from "./rider-status";

/** Shows the status of a known person; an introduction to everyone else. */
export function StartPage() {
  const { texts } = usePageLanguage();
  const demo = useLoad(demoRiders);
  const userId = useUserId();
  const leftOpen = useLeftOpen();
  const applied = useApplied();
  if (demo.state !== "ready") return <LoadingCards count={2} />;
  const isDemo = demo.value.length > 0;
  const hasApplied =
    userId === undefined && (applied.pending !== undefined || applied.newest !== undefined);
  const more = (
    <>
      <div className="doors">
        {hasApplied ? (
          <AnotherApplicant isPending={Boolean(applied.pending)} />
        ) : (
          (isDemo || userId === undefined) && <ApplicantEntry isDemo={isDemo} />
        )}
        {isDemo ? <RiderEntry riders={demo.value} /> : !userId && <RidersNote />}
      </div>
      {isDemo && <p className="note">{texts.start.demo}</p>}
      <StartTip />
    </>
  );
  if (userId !== undefined)
    return (
      <RiderStatus key={userId} userId={userId}>
        {more}
      </RiderStatus>
    );
  return (
    <>
      {leftOpen && <LeftOpen />}
      {hasApplied ? <ApplicantStatus {...applied} /> : isDemo ? <Introduction /> : <Welcome />}
      {more}
    </>
  );
}

function LeftOpen() {
  const { texts } = usePageLanguage();
  return (
    <p className="card" role="alert">
      {texts.start.leftOpen}
    </p>
  );
}

/** The title of a company's server. The two ways on follow at once. */
function Welcome() {
  const { start } = usePageLanguage().texts;
  const { name } = company();
  return (
    <div className="hero">
      <h1>{name ? start.welcome(name) : start.welcomePlain}</h1>
    </div>
  );
}

/** Introduces Musette in a demonstration. */
function Introduction() {
  const { texts } = usePageLanguage();
  const [first, ...rest] = texts.start.sentences;
  return (
    <div className="hero">
      <h1>{texts.start.title}</h1>
      <p className="lead">{first}</p>
      {rest.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

function ApplicantEntry({ isDemo }: { readonly isDemo: boolean }) {
  const { start } = usePageLanguage().texts;
  return (
    <section className="card door">
      <p>{isDemo ? start.applicantHint : start.applyHint}</p>
      <Link className="mu-button" data-kind="primary" href="/apply">
        {isDemo ? start.asApplicant : start.apply}
      </Link>
    </section>
  );
}

function RiderEntry({ riders }: { readonly riders: readonly DemoRider[] }) {
  const { texts } = usePageLanguage();
  const { entering, error, enter } = useEnterDemo("/");
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
      <Link className="mu-button" data-kind="quiet" href={signInHref("/")}>
        {texts.start.withCode}
      </Link>
      <Link className="mu-button" data-kind="quiet" href="/receipt">
        {texts.receipt.open.title}
      </Link>
    </section>
  );
}

function RidersNote() {
  const { texts } = usePageLanguage();
  return (
    <section className="card door">
      <h2>{texts.start.ridersTitle}</h2>
      <p>{texts.start.ridersText}</p>
      <Link className="mu-button" data-kind="secondary" href={signInHref("/")}>
        {texts.signIn.title}
      </Link>
      <Link className="mu-button" data-kind="quiet" href="/receipt">
        {texts.receipt.open.title}
      </Link>
    </section>
  );
}
