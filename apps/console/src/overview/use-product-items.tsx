import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { environmentsQuery } from "../configuration/document/environment-queries";
import { chooseEnvironment } from "../configuration/document/environment-search";
import { flagsDocumentQuery } from "../configuration/document/flags-document";
import { staleQuery } from "../configuration/document/stale-query";
import { REMEMBERED } from "../configuration/document/use-environment";
import { draftKeys } from "../configuration/drafts/object-draft";
import { changesQuery } from "../configuration/review/changes-query";
import { experimentsOf } from "../experiments/of-document";
import { winners } from "../results/reading";
import { type ExperimentResults, experimentResultsQuery } from "../results/results-query";
import { readStored } from "../storage/storage";
import type { AttentionItem } from "./attention";
import styles from "./overview.module.css";
import { type OverviewTexts, useOverviewTexts } from "./texts/texts";

const AHEAD_MS = 7 * 86_400_000;
/** More than a team runs at once in one environment. */
const EXPERIMENTS_MAX = 12;

/** Returns the environment of the last visit, and the results of its running experiments. */
export function useRunning(enabled: boolean) {
  const environments = useQuery({ ...environmentsQuery, enabled });
  const names = environments.data?.map(({ name }) => name) ?? [];
  const env = chooseEnvironment(names, undefined, readStored(REMEMBERED));
  const isKnown = enabled && env !== "";
  const document = useQuery({ ...flagsDocumentQuery(env), enabled: isKnown });
  const running = (document.data ? experimentsOf(document.data.body) : [])
    .map(({ experiment }) => experiment)
    .filter(({ status }) => status === "running")
    .slice(0, EXPERIMENTS_MAX);
  const results = useQueries({
    queries: running.map(({ key }) => experimentResultsQuery(env, key, {})),
  });
  const guardrails = useQueries({
    queries: running.flatMap(({ key, guardrails = [] }) =>
      guardrails.map((metric) => experimentResultsQuery(env, key, { metric })),
    ),
  });
  const loaded = (all: typeof results) => all.flatMap(({ data }) => (data ? [data] : []));
  return { env, isKnown, results: loaded(results), guardrails: loaded(guardrails) };
}

/** Experiments with a result or a problem, stale flags, scheduled changes, and unsaved drafts. */
export function useProductItems(enabled: boolean): readonly AttentionItem[] {
  const texts = useOverviewTexts();
  const { env, isKnown, results, guardrails } = useRunning(enabled);
  const harmed = new Set(guardrails.filter(isWorse).map(({ experiment }) => experiment));
  const stale = useQuery({ ...staleQuery(env), enabled: isKnown }).data?.items.length ?? 0;
  const changes = useInfiniteQuery({ ...changesQuery(env), enabled: isKnown });
  const soon = (changes.data?.pages[0]?.items ?? []).filter(
    ({ status, at }) => status === "waiting" && at && Date.parse(at) < Date.now() + AHEAD_MS,
  ).length;
  if (!isKnown) return [];
  const to = (path: "/flags/stale" | "/flags/planned", text: string) => (
    <Link to={path} search={{ env }} className={styles.toOne}>
      {text}
    </Link>
  );
  return [
    ...results.flatMap((result) =>
      experimentItem(result, harmed.has(result.experiment), env, texts),
    ),
    ...(soon > 0 ? [{ id: "planned", link: to("/flags/planned", texts.planned(soon)) }] : []),
    ...(stale > 0 ? [{ id: "stale", link: to("/flags/stale", texts.stale(stale)) }] : []),
    ...draftKeys("flag", env).map((key) => ({
      id: `unsaved ${key}`,
      link: (
        <Link to="/flags/$key" params={{ key }} search={{ env }} className={styles.toOne}>
          {texts.unsaved(key)}
        </Link>
      ),
    })),
  ];
}

const isWorse = ({ metric }: ExperimentResults): boolean =>
  metric?.arms.some(({ comparison }) => comparison?.verdict === "worse") ?? false;

function experimentItem(
  result: ExperimentResults,
  isHarmed: boolean,
  env: string,
  texts: OverviewTexts,
): readonly AttentionItem[] {
  const { experiment: key, warnings } = result;
  const finding: readonly [string, AttentionItem["tone"]] | undefined =
    warnings.length > 0
      ? [texts.mismatch(key), "bad"]
      : isHarmed
        ? [texts.harmed(key), "bad"]
        : winners(result).length > 0
          ? [texts.winner(key), "warning"]
          : undefined;
  if (!finding) return [];
  const link = (
    <Link to="/experiments/$key" params={{ key }} search={{ env }} className={styles.toOne}>
      {finding[0]}
    </Link>
  );
  return [{ id: `experiment ${key}`, link, ...(finding[1] && { tone: finding[1] }) }];
}
