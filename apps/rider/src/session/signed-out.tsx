import { Button } from "@musette/react/ui";
import { demoRiders } from "../demo/demo";
import { useEnterDemo } from "../demo/use-enter-demo";
import { useLanguage } from "../language/language-context";
import { CalmPage, FailureText } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { Link } from "../router/router";

/** For what is a rider's own: says who signs a rider in, and that nothing is lost. */
export function SignedOut() {
  const { texts } = useLanguage();
  const demo = useLoad(demoRiders);
  const { entering, error, enter } = useEnterDemo();
  const rider = demo.state === "ready" ? demo.value[0] : undefined;
  return (
    <CalmPage title={texts.signedOut.title} text={texts.signedOut.text}>
      {error !== undefined && <FailureText error={error} />}
      {rider && (
        <Button kind="primary" loading={entering} onClick={() => enter(rider)}>
          {texts.signedOut.enter}
        </Button>
      )}
      <Link className="mu-button" data-kind="secondary" href="/">
        {texts.backToStart}
      </Link>
    </CalmPage>
  );
}
