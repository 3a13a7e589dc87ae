import { useQuery } from "@tanstack/react-query";
import { useIsAdmin } from "../api/use-is-admin";
import { useInstant } from "../language/dates";
import { useLanguage } from "../language/language-context";
import factStyles from "../ui/facts.module.css";
import sheetStyles from "../ui/sheet.module.css";
import { Skeleton } from "../ui/skeleton";
import stateStyles from "../ui/state.module.css";
import { LoadFailed } from "../ui/states";
import { DeliveryTest } from "./delivery-test";
import { type Settings, settingsQuery } from "./standing-query";
import { useSettingsTexts } from "./texts/texts";

/** The settings of sign-in and of code delivery. */
export function SignInTab() {
  const settings = useQuery(settingsQuery);
  if (settings.isPending) return <Skeleton rows={4} />;
  if (settings.isError) return <LoadFailed error={settings.error} onRetry={settings.refetch} />;
  return (
    <>
      <ConsoleSignIn {...settings.data.sign_in} />
      <Delivery {...settings.data.delivery} />
    </>
  );
}

function ConsoleSignIn({ password, oidc }: Settings["sign_in"]) {
  const texts = useSettingsTexts();
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.consoleSignIn}</h2>
      <dl className={factStyles.facts}>
        <dt>{texts.byPassword}</dt>
        <dd>{password ? texts.allowed : texts.notAllowed}</dd>
        <dt>{texts.byCompany}</dt>
        <dd>
          {oidc ? (
            <>
              <bdi>{oidc.name}</bdi>{" "}
              <bdi className="mono note" dir="ltr">
                {oidc.issuer}
              </bdi>
            </>
          ) : (
            texts.notSetUp
          )}
        </dd>
      </dl>
      <p className="note">{texts.signInHow}</p>
    </section>
  );
}

function Delivery(delivery: Settings["delivery"]) {
  const settingsTexts = useSettingsTexts();
  const { texts, language } = useLanguage();
  const written = useInstant();
  const isAdmin = useIsAdmin();
  const { kind, sends, address, sender, last_24_hours: day, last_failure: failure } = delivery;
  const number = (value: number) => value.toLocaleString(language.tag);
  // In a demonstration, codes are written to the log instead of being sent.
  const isSent = sends && kind !== "log";
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{settingsTexts.delivery}</h2>
      <p className={stateStyles.state} data-state={isSent ? "good" : "warning"}>
        {texts.overview.delivery[kind]}
      </p>
      <dl className={factStyles.facts}>
        {address && (
          <>
            <dt>{settingsTexts.deliveryAddress}</dt>
            <dd>
              <bdi className="mono" dir="ltr">
                {address}
              </bdi>
            </dd>
          </>
        )}
        {sender && (
          <>
            <dt>{settingsTexts.deliverySender}</dt>
            <dd>
              <bdi>{sender}</bdi>
            </dd>
          </>
        )}
        <dt>{settingsTexts.lastDay}</dt>
        <dd>{settingsTexts.sentAndFailed(number(day.sent), number(day.failed))}</dd>
        {failure && (
          <>
            <dt>{settingsTexts.lastFailure}</dt>
            <dd>
              <time dateTime={failure.at}>{written(failure.at)}</time>{" "}
              <bdi className="note">{failure.reason}</bdi>
            </dd>
          </>
        )}
      </dl>
      {isAdmin && isSent && <DeliveryTest />}
      <p className="note">{settingsTexts.deliveryHow}</p>
    </section>
  );
}
