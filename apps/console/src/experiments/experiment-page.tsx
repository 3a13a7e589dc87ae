import { HttpError } from "@musette/client/http";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { EnvironmentSwitch } from "../configuration/document/environment-switch";
import { FlagLink } from "../configuration/document/flag-link";
import { useFlagsDocument } from "../configuration/document/flags-document";
import { useEnvironment } from "../configuration/document/use-environment";
import styles from "../results/experiments.module.css";
import { HowToSend } from "../results/how-to-send";
import { winners } from "../results/reading";
import { type ExperimentResults, experimentResultsQuery } from "../results/results-query";
import { ResultsView } from "../results/results-view";
import { useResultsTexts } from "../results/texts/texts";
import { isolated } from "../results/use-figures";
import bannerStyles from "../ui/banner.module.css";
import { Page } from "../ui/page";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { Actions } from "./actions";
import { Decisions } from "./decisions";
import { experimentOf, type PlacedExperiment } from "./of-document";
import { StatusChip } from "./status-chip";
import { useExperimentsTexts } from "./texts/texts";

export function ExperimentPage() {
  const texts = useExperimentsTexts();
  const { key } = useParams({ from: "/inside/environment/experiments/$key" });
  const search = useSearch({ from: "/inside/environment/experiments/$key" });
  const { env } = useEnvironment();
  const document = useFlagsDocument(env);
  const results = useQuery(experimentResultsQuery(env, key, search));
  const placed = document.data && experimentOf(document.data.body, key);
  const isUnknown = results.error instanceof HttpError && results.error.status === 404;
  if (isUnknown && document.isSuccess && !placed) return <ExperimentNotFound />;
  return (
    <Page title={key} intro={placed?.experiment.hypothesis ?? texts.hypothesisNone}>
      <div className={styles.actionsBar}>
        <EnvironmentSwitch />
        {document.data && placed && (
          <Actions
            env={env}
            base={document.data}
            placed={placed}
            winners={results.data ? winners(results.data) : []}
            unreadable={results.data?.warnings[0]}
          />
        )}
      </div>
      {placed && <Facts placed={placed} />}
      {document.isSuccess && !placed && results.isSuccess && (
        <p className={bannerStyles.banner}>{texts.gone}</p>
      )}
      {results.isError && !isUnknown && (
        <LoadFailed error={results.error} onRetry={results.refetch} />
      )}
      {results.isPending && <Skeleton rows={7} />}
      {results.data && <Results results={results.data} placed={placed} />}
      {results.data && results.data.units > 0 && (
        <Decisions env={env} experiment={key} canDecide={placed?.experiment.status === "running"} />
      )}
    </Page>
  );
}

function Facts({ placed: { flag, experiment } }: { readonly placed: PlacedExperiment }) {
  const texts = useExperimentsTexts();
  const message = {
    running: flag.on ? undefined : texts.flagIsOff(isolated(flag.key)),
    draft: texts.draft,
    stopped: texts.stopped,
    shipped: texts.shipped(isolated(experiment.winner ?? "")),
  }[experiment.status];
  return (
    <>
      <div className={styles.facts} data-part="facts">
        <StatusChip status={experiment.status} />
        <span>
          {texts.flag} <FlagLink flag={flag.key} />
        </span>
      </div>
      {message && <p className={bannerStyles.banner}>{message}</p>}
    </>
  );
}

function Results(props: {
  readonly results: ExperimentResults;
  readonly placed: PlacedExperiment | undefined;
}) {
  const texts = useResultsTexts();
  const search = useSearch({ from: "/inside/environment/experiments/$key" });
  const navigate = useNavigate({ from: "/experiments/$key" });
  const { results, placed } = props;
  if (results.units === 0 && results.phases.length === 0) {
    return <NoParticipants placed={placed} />;
  }
  const current = placed?.experiment.phase ?? results.phase;
  const all = [...new Set([...results.phases, current])].sort((a, b) => a - b);
  return (
    <ResultsView
      subject={{ kind: "experiments", key: results.experiment }}
      roles={results}
      results={results}
      search={search}
      onChange={(next) =>
        void navigate({
          search: (former) => ({ env: former.env, ...next }) as typeof former,
          replace: true,
        })
      }
      unit={placed?.experiment.unit}
      phase={{ shown: results.phase, current, all }}
      armTitle={texts.arm}
      armName={(arm) => arm}
    />
  );
}

function NoParticipants({ placed }: { readonly placed: PlacedExperiment | undefined }) {
  if (!placed) return null;
  const { flag, experiment } = placed;
  const event = {
    name: "ab_test.participated",
    id: "…",
    unit: "rider-1",
    at: new Date().toISOString(),
    experiment: experiment.key,
    phase: experiment.phase,
    variation: flag.variations[0]?.key ?? "",
  };
  const fallback = JSON.stringify(
    flag.variations.find((variation) => variation.key === flag.defaultVariation)?.value,
  );
  return (
    <HowToSend
      event={event}
      client={`const { value } = useExperiment("${flag.key}", ${fallback});`}
    />
  );
}

function ExperimentNotFound() {
  const texts = useExperimentsTexts();
  return (
    <Page title={texts.unknown} intro={texts.unknownText} isNowhere>
      <div className={styles.actionsBar}>
        <EnvironmentSwitch />
        <Link to="/experiments" className="mu-button" data-kind="primary">
          {texts.all}
        </Link>
      </div>
    </Page>
  );
}
