import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { EnvironmentSwitch } from "../configuration/document/environment-switch";
import { useFlagsDocument } from "../configuration/document/flags-document";
import { useEnvironment } from "../configuration/document/use-environment";
import { NoEnvironment } from "../configuration/no-environment";
import { useLanguage } from "../language/language-context";
import styles from "../results/experiments.module.css";
import { ListTools } from "../table/list-tools";
import { sorted } from "../table/sort";
import { ForRoles } from "../ui/for-roles";
import { Page } from "../ui/page";
import { PageTools } from "../ui/page-tools";
import { LoadFailed } from "../ui/states";
import { ExperimentsFilter } from "./experiments-filter";
import type { ExperimentsSearch } from "./experiments-search";
import { ExperimentsTable } from "./experiments-table";
import { experimentsOf, type PlacedExperiment } from "./of-document";
import { useExperimentsTexts } from "./texts/texts";

export function ExperimentsPage() {
  const texts = useExperimentsTexts();
  const search = useSearch({ from: "/inside/environment/experiments" });
  const { env, environments } = useEnvironment();
  const document = useFlagsDocument(env);
  const all = document.data ? experimentsOf(document.data.body) : [];
  const failed = environments.isError ? environments : document;
  const isNowhere = environments.isSuccess && !env;
  return (
    <Page title={texts.title} intro={texts.intro}>
      <PageTools>
        <EnvironmentSwitch />
        {!isNowhere && (
          <ForRoles task="flags" scope={env}>
            <Link to="/experiments/new" className="mu-button" data-kind="primary">
              {texts.create}
            </Link>
          </ForRoles>
        )}
      </PageTools>
      {failed.isError && <LoadFailed error={failed.error} onRetry={failed.refetch} />}
      {isNowhere && <NoEnvironment />}
      {document.isSuccess && all.length === 0 ? (
        <div className="card calm">
          <h2>{texts.none}</h2>
          <p className={`note ${styles.teach}`}>{texts.noneHint}</p>
        </div>
      ) : (
        !failed.isError &&
        !isNowhere && (
          <Experiments all={all} search={search} env={env} isLoading={!document.isSuccess} />
        )
      )}
    </Page>
  );
}

function Experiments(props: {
  readonly all: readonly PlacedExperiment[];
  readonly search: ExperimentsSearch;
  readonly env: string;
  readonly isLoading: boolean;
}) {
  const texts = useExperimentsTexts();
  const { language } = useLanguage();
  const navigate = useNavigate({ from: "/experiments" });
  const { all, search, env, isLoading } = props;
  const rows = filtered(all, search, language.tag);
  const change = (
    part: { readonly [name in keyof ExperimentsSearch]: ExperimentsSearch[name] | undefined },
  ) =>
    void navigate({ search: (former) => ({ ...former, ...part }) as typeof former, replace: true });
  return (
    <>
      <ExperimentsFilter search={search} all={all} onChange={change} />
      <ListTools count={!isLoading && texts.shown(rows.length.toLocaleString(language.tag))} />
      {!isLoading && rows.length === 0 ? (
        <div className="card calm">
          <p>{texts.nothing}</p>
          <p className="note">{texts.nothingHint}</p>
        </div>
      ) : (
        <ExperimentsTable
          rows={rows}
          env={env}
          isLoading={isLoading}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
        />
      )}
    </>
  );
}

/** Running experiments first, because people mostly look for those. */
const order = { running: 0, draft: 1, stopped: 2, shipped: 3 } as const;

function filtered(
  all: readonly PlacedExperiment[],
  { status, q, sort }: ExperimentsSearch,
  tag: string,
): readonly PlacedExperiment[] {
  const part = q?.toLocaleLowerCase() ?? "";
  const names = ({ experiment, flag }: PlacedExperiment) =>
    [experiment.key, flag.key, flag.owner, experiment.hypothesis].join("\n").toLocaleLowerCase();
  const rows = all
    .filter(({ experiment }) => !status || experiment.status === status)
    .filter((placed) => names(placed).includes(part));
  const usual = rows.toSorted((a, b) => order[a.experiment.status] - order[b.experiment.status]);
  const by = {
    key: ({ experiment }: PlacedExperiment) => experiment.key,
    flag: ({ flag }: PlacedExperiment) => flag.key,
    status: ({ experiment }: PlacedExperiment) => order[experiment.status],
  };
  return sorted(usual, sort, by, tag);
}
