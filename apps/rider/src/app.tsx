import { AgreementsPage } from "./agreements/agreements-page";
import { ApplyPage, RiderTermsPage } from "./consent/consent-pages";
import { DevicesPage } from "./devices/devices-page";
import { RiderFlags } from "./flags/rider-flags";
import { useLanguage } from "./language/language";
import { CalmPage } from "./loading/states";
import { ReceiptPage } from "./receipts/receipt-page";
import { Link, usePath } from "./router/router";
import { useUserId } from "./session/session";
import { Shell } from "./shell/shell";
import { SignInPage } from "./sign-in/sign-in-page";
import { StartPage } from "./start/start-page";
import type { RiderTexts } from "./texts/texts";

export function App() {
  const { texts } = useLanguage();
  const path = usePath();
  const userId = useUserId();
  const { title, page, task } = pageAt(path, texts);
  return (
    <Shell title={title} task={task === "anyone" || (task === "rider" && userId !== undefined)}>
      {page}
    </Shell>
  );
}

/** Every address of the app. */
function pageAt(path: string, texts: RiderTexts) {
  switch (path.replace(/(.)\/$/, "$1")) {
    case "/":
      // The only page that flags decide on; the others must not ask for them.
      return {
        title: texts.nav.start,
        page: (
          <RiderFlags>
            <StartPage />
          </RiderFlags>
        ),
      };
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
