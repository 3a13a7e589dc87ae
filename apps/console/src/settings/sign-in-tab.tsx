import { useQuery } from "@tanstack/react-query";
import { useLanguage } from "../language/language-context";
import { overviewQuery } from "../overview/overview-queries";
import { Skeleton } from "../shell/skeleton";
import { LoadFailed } from "../shell/states";
import { signInOptionsQuery } from "../sign-in/sign-in-calls";
import { useSettingsTexts } from "./texts/texts";

/** How people get in: into this console, and into the applications of riders. */
export function SignInTab() {
  return (
    <>
      <ConsoleSignIn />
      <Delivery />
    </>
  );
}

function ConsoleSignIn() {
  const words = useSettingsTexts();
  const options = useQuery(signInOptionsQuery);
  if (options.isPending) return <Skeleton rows={2} />;
  if (options.isError) return <LoadFailed error={options.error} onRetry={options.refetch} />;
  const { password, oidc } = options.data;
  return (
    <section className="card part">
      <h2>{words.consoleSignIn}</h2>
      <dl className="facts">
        <dt>{words.byPassword}</dt>
        <dd>{password ? words.allowed : words.notAllowed}</dd>
        <dt>{words.byCompany}</dt>
        <dd>{oidc ? <bdi>{oidc.name}</bdi> : words.notSetUp}</dd>
      </dl>
      <p className="note">{words.signInHow}</p>
    </section>
  );
}

function Delivery() {
  const words = useSettingsTexts();
  const { texts } = useLanguage();
  const overview = useQuery(overviewQuery);
  if (overview.isPending) return <Skeleton rows={2} />;
  if (overview.isError) return <LoadFailed error={overview.error} onRetry={overview.refetch} />;
  const { code_delivery: delivery } = overview.data;
  return (
    <section className="card part">
      <h2>{words.delivery}</h2>
      <p className="state" data-state={delivery === "log" ? "warning" : "good"}>
        {texts.overview.delivery[delivery]}
      </p>
      <p className="note">{words.deliveryHow}</p>
    </section>
  );
}
