import { Fragment } from "react";
import { ApplyPage, RiderTermsPage } from "./consent/consent-pages";
import { useLanguage } from "./language/language";
import { CalmPage } from "./loading/states";
import { useFreshStarts } from "./router/fresh-start";
import { lazyPage } from "./router/later";
import { Link, usePath } from "./router/router";
import { useUnconfirmedUser } from "./session/person";
import { useUserId } from "./session/session";
import { Shell } from "./shell/shell";
import type { FirstTexts } from "./texts/texts";

// The consent screen is in the first chunk, since most people open the app for it.
const StartPage = lazyPage(async () => {
  // The only page that depends on flags. The others must not fetch them.
  const [{ RiderFlags }, { StartPage }] = await Promise.all([
    import("./flags/rider-flags"),
    import("./start/start-page"),
  ]);
  return () => (
    <RiderFlags>
      <StartPage />
    </RiderFlags>
  );
});
const AgreementsPage = lazyPage(
  async () => (await import("./agreements/agreements-page")).AgreementsPage,
);
const ReceiptPage = lazyPage(async () => (await import("./receipts/receipt-page")).ReceiptPage);
const SignInPage = lazyPage(async () => (await import("./sign-in/sign-in-page")).SignInPage);
const AnotherPersonPage = lazyPage(async () => {
  const { AnotherPerson } = await import("./shell/another-person");
  return () => {
    const userId = useUnconfirmedUser();
    return userId && <AnotherPerson userId={userId} />;
  };
});
const DevicesPage = lazyPage(async () => (await import("./devices/devices-page")).DevicesPage);

const NoticesPage = lazyPage(async () => (await import("./notices/notices-page")).NoticesPage);

const SystemsPage = lazyPage(async () => (await import("./systems/systems-page")).SystemsPage);

const DecisionPages = lazyPage(
  async () => (await import("./decisions/decision-pages")).DecisionPages,
);

export function App() {
  const { texts } = useLanguage();
  const path = usePath();
  const userId = useUserId();
  const starts = useFreshStarts();
  const isAnother = useUnconfirmedUser() !== undefined;
  const { title, page, task } = pageAt(path, texts);
  const isTask = task === "anyone" || (task === "rider" && userId !== undefined);
  return (
    <Shell title={title} task={isTask && !isAnother}>
      <Fragment key={starts}>{isAnother ? <AnotherPersonPage /> : page}</Fragment>
    </Shell>
  );
}

/** Returns the page for each address of the app. */
function pageAt(path: string, texts: FirstTexts) {
  switch (path.replace(/(.)\/$/, "$1")) {
    case "/":
      return { title: texts.nav.start, page: <StartPage /> };
    case "/apply":
      return { title: texts.nav.apply, page: <ApplyPage />, task: "anyone" };
    case "/terms":
      return { title: texts.nav.terms, page: <RiderTermsPage />, task: "rider" };
    case "/agreements":
      return { title: texts.nav.agreements, page: <AgreementsPage /> };
    case "/receipt":
      return { title: texts.agreements.receipt, page: <ReceiptPage /> };
    case "/sign-in":
      return { title: texts.signIn.title, page: <SignInPage /> };
    case "/devices":
      return { title: texts.devices.title, page: <DevicesPage /> };
    case "/notices":
      return { title: texts.notices.title, page: <NoticesPage /> };
    case "/automated-systems":
      return { title: texts.systems.title, page: <SystemsPage /> };
    case "/work-record":
      return { title: texts.work.title, page: <DecisionPages /> };
    case "/evaluation":
      return { title: texts.work.evaluation, page: <DecisionPages /> };
    case "/restrictions":
      return { title: texts.restriction.title, page: <DecisionPages /> };
    case "/contest":
      return { title: texts.work.contest, page: <DecisionPages /> };
    default:
      return { title: texts.notFound.title, page: <NotFoundPage /> };
  }
}

function NotFoundPage() {
  const { texts } = useLanguage();
  return (
    <CalmPage title={texts.notFound.title} text={texts.notFound.text}>
      <Link className="mu-button" data-kind="primary" href="/">
        {texts.backToStart}
      </Link>
    </CalmPage>
  );
}
