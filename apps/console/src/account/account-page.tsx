import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { meQuery } from "../api/me";
import { useLanguage } from "../language/language-context";
import { authenticatorQuery } from "../sign-in/authenticator-query";
import { signInOptionsQuery } from "../sign-in/sign-in-calls";
import { Page } from "../ui/page";
import sheetStyles from "../ui/sheet.module.css";
import { Skeleton } from "../ui/skeleton";
import stateStyles from "../ui/state.module.css";
import { LoadFailed } from "../ui/states";
import { ChangePassword } from "./change-password";
import { useAccountTexts } from "./texts/texts";

/** The account settings of the signed-in person. */
export function AccountPage() {
  const accountTexts = useAccountTexts();
  const { texts } = useLanguage();
  const me = useQuery(meQuery);
  const options = useQuery(signInOptionsQuery);
  return (
    <Page title={texts.account} intro={me.data?.user_id}>
      {options.isPending && <Skeleton rows={4} />}
      {options.isError && <LoadFailed error={options.error} onRetry={options.refetch} />}
      {options.data &&
        (options.data.password ? (
          <>
            <ChangePassword />
            <Authenticator />
          </>
        ) : (
          <section className={`card ${sheetStyles.sheet}`}>
            <h2>{accountTexts.passwordTitle}</h2>
            <p>{accountTexts.byCompany(options.data.oidc?.name ?? "")}</p>
          </section>
        ))}
    </Page>
  );
}

function Authenticator() {
  const texts = useAccountTexts();
  const next = useRouterState({ select: (state) => state.location.href });
  const authenticator = useQuery(authenticatorQuery);
  if (authenticator.isPending) return <Skeleton rows={2} />;
  if (authenticator.isError) {
    return <LoadFailed error={authenticator.error} onRetry={authenticator.refetch} />;
  }
  const { is_set: isSet } = authenticator.data;
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.authenticatorTitle}</h2>
      <p className={stateStyles.state} data-state={isSet ? "good" : "warning"}>
        {isSet ? texts.hasAuthenticator : texts.noAuthenticator}
      </p>
      {isSet ? (
        <p className="note">{texts.lostAuthenticator}</p>
      ) : (
        <div>
          <Link
            className="mu-button"
            data-kind="secondary"
            to="/sign-in"
            search={{ next, set_up: "authenticator" }}
          >
            {texts.setUpAuthenticator}
          </Link>
        </div>
      )}
    </section>
  );
}
