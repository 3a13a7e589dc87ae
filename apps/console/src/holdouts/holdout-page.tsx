import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Wire } from "../api/wire";
import type { FlagsDocument, Holdout } from "../configuration/document/document";
import { EnvironmentSwitch } from "../configuration/document/environment-switch";
import { useFlagsDocument } from "../configuration/document/flags-document";
import { useEnvironment } from "../configuration/document/use-environment";
import { ArmsBar } from "../results/arms-bar";
import styles from "../results/experiments.module.css";
import { HowToSend } from "../results/how-to-send";
import { holdoutResultsQuery } from "../results/results-query";
import { ResultsView } from "../results/results-view";
import bannerStyles from "../ui/banner.module.css";
import { Page } from "../ui/page";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { Actions } from "./actions";
import { flagsOf, phaseOf } from "./draft";
import { PhaseChip } from "./phase-chip";
import { useHoldoutsTexts } from "./texts/texts";
import { useHoldoutSummary } from "./use-holdout-summary";

export function HoldoutPage() {
  const texts = useHoldoutsTexts();
  const { key } = useParams({ from: "/inside/environment/holdouts/$key" });
  const search = useSearch({ from: "/inside/environment/holdouts/$key" });
  const { env } = useEnvironment();
  const document = useFlagsDocument(env);
  const results = useQuery(holdoutResultsQuery(env, key, search));
  const holdout = document.data?.body.holdouts.find((holdout) => holdout.key === key);
  const isUnknown = results.error instanceof HttpError && results.error.status === 404;
  if (isUnknown && document.isSuccess && !holdout) return <HoldoutNotFound />;
  return (
    <Page title={key} intro={holdout?.description ?? texts.noDescription}>
      <div className={styles.actionsBar}>
        <EnvironmentSwitch />
        {document.data && holdout && (
          <Actions
            env={env}
            base={document.data}
            holdout={holdout}
            phase={phaseOf(holdout, new Date())}
          />
        )}
      </div>
      {document.data && holdout && <Facts document={document.data.body} holdout={holdout} />}
      {document.isSuccess && !holdout && results.isSuccess && (
        <p className={bannerStyles.banner}>{texts.gone}</p>
      )}
      {results.isError && !isUnknown && (
        <LoadFailed error={results.error} onRetry={results.refetch} />
      )}
      {results.isPending && <Skeleton rows={7} />}
      {results.data && <Results results={results.data} holdout={holdout} />}
    </Page>
  );
}

function Facts(props: { readonly document: FlagsDocument; readonly holdout: Holdout }) {
  const texts = useHoldoutsTexts();
  const { appliesTo, toCome } = useHoldoutSummary();
  const { document, holdout } = props;
  const now = new Date();
  const phase = phaseOf(holdout, now);
  const count = flagsOf(document, holdout).length;
  const { percent } = holdout;
  return (
    <section className={`card ${styles.holdoutFacts}`}>
      <div className={styles.facts} data-part="facts">
        <PhaseChip phase={phase} />
        <span>{texts.said[phase]}</span>
      </div>
      <ArmsBar
        arms={[
          { key: texts.groups.HELD_OUT, weight: percent },
          { key: texts.groups.COMPARISON, weight: percent },
          { key: texts.rest, weight: 100 - 2 * percent },
        ]}
      />
      <p className="note">
        {[
          `${texts.applies}: ${appliesTo(holdout)} (${texts.flags(count)})`,
          ...toCome(holdout, now),
        ].join(" · ")}
      </p>
    </section>
  );
}

function Results(props: {
  readonly results: Wire<"HoldoutResultsBody">;
  readonly holdout: Holdout | undefined;
}) {
  const texts = useHoldoutsTexts();
  const search = useSearch({ from: "/inside/environment/holdouts/$key" });
  const navigate = useNavigate({ from: "/holdouts/$key" });
  const { results, holdout } = props;
  if (results.units === 0) {
    const event = {
      name: "holdout_group.participated",
      id: "…",
      unit: "rider-1",
      at: new Date().toISOString(),
      holdout: results.holdout,
      group: "COMPARISON",
    };
    return <HowToSend event={event} client={"const holdouts = useHoldouts();"} />;
  }
  const name = (group: string) =>
    group === "HELD_OUT" || group === "COMPARISON" ? texts.groups[group] : group;
  return (
    <>
      <p className="note">{texts.readingHint}</p>
      <ResultsView
        subject={{ kind: "holdouts", key: results.holdout }}
        roles={results}
        results={results}
        search={search}
        onChange={(next) =>
          void navigate({
            search: ({ env }) => ({ ...(env && { env }), ...next }),
            replace: true,
          })
        }
        unit={holdout?.unit}
        armTitle={texts.group}
        armName={name}
      />
    </>
  );
}

function HoldoutNotFound() {
  const texts = useHoldoutsTexts();
  return (
    <Page title={texts.unknown} intro={texts.unknownText} isNowhere>
      <div className={styles.actionsBar}>
        <EnvironmentSwitch />
        <Link to="/holdouts" className="mu-button" data-kind="primary">
          {texts.all}
        </Link>
      </div>
    </Page>
  );
}
