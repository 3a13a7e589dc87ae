import { Button } from "@musette/react/ui";
import { useEffect, useState } from "react";
import { demoRiders } from "../demo/demo";
import { useEnterDemo } from "../demo/use-enter-demo";
import { usePageLanguage } from "../language/page-language";
import { CalmPage, FailureText, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { Link, navigate } from "../router/router";
import { signInHref } from "../router/sign-in-address";
import { endedText } from "./ended-text";

/**
 * Replaces a page that needs a session. Without a session it goes to the sign-in. If the session
 * ended while the page was open, it says so first, and the person chooses when to sign in.
 */
export function SignedOut(props: { readonly ended: boolean }) {
  const demo = useLoad(demoRiders);
  if (props.ended) return <Ended />;
  if (demo.state !== "ready") return <LoadingCards count={1} />;
  if (demo.value.length === 0) return <ToSignIn />;
  return <DemoSignedOut />;
}

function Ended() {
  const { texts } = usePageLanguage();
  return (
    <CalmPage title={texts.ended.title} text={endedText(texts)}>
      <Link className="mu-button" data-kind="primary" href={signInHref(here())}>
        {texts.ended.signIn}
      </Link>
      <DemoRider kind="secondary" />
      <Link className="mu-button" data-kind="quiet" href="/">
        {texts.backToStart}
      </Link>
    </CalmPage>
  );
}

function ToSignIn() {
  const [href] = useState(() => signInHref(here()));
  // Replaces this page: going back must not lead here, and from here to the sign-in again.
  useEffect(() => navigate(href, { replace: true }), [href]);
  return <LoadingCards count={1} />;
}

function DemoSignedOut() {
  const { texts } = usePageLanguage();
  return (
    <CalmPage title={texts.signedOut.title} text={texts.signedOut.text}>
      <DemoRider kind="primary" />
      <Link className="mu-button" data-kind="secondary" href={signInHref(here())}>
        {texts.signIn.title}
      </Link>
      <Link className="mu-button" data-kind="quiet" href="/">
        {texts.backToStart}
      </Link>
    </CalmPage>
  );
}

/** Signs in as a person of the demonstration with one tap. */
function DemoRider({ kind }: { readonly kind: "primary" | "secondary" }) {
  const { texts } = usePageLanguage();
  const demo = useLoad(demoRiders);
  const { entering, error, enter } = useEnterDemo("/terms");
  const rider = demo.state === "ready" ? demo.value[0] : undefined;
  if (!rider) return null;
  return (
    <>
      {error !== undefined && <FailureText error={error} />}
      <Button kind={kind} loading={entering} onClick={() => enter(rider)}>
        {texts.signedOut.enter}
      </Button>
    </>
  );
}

function here(): string {
  const { pathname, search, hash } = window.location;
  return `${pathname}${search}${hash}`;
}
