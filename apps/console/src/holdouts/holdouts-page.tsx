import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Holdout } from "../configuration/document/document";
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
import { phaseOf } from "./draft";
import { type HoldoutsSearch, phaseNames } from "./holdouts-search";
import { HoldoutsTable } from "./holdouts-table";
import { useHoldoutsTexts } from "./texts/texts";

export function HoldoutsPage() {
  const texts = useHoldoutsTexts();
  const { env, environments } = useEnvironment();
  const document = useFlagsDocument(env);
  const failed = environments.isError ? environments : document;
  const isNowhere = environments.isSuccess && !env;
  const all = document.data?.body.holdouts ?? [];
  return (
    <Page title={texts.title} intro={texts.intro}>
      <PageTools>
        <EnvironmentSwitch />
        {!isNowhere && (
          <ForRoles task="flags" scope={env}>
            <Link to="/holdouts/new" className="mu-button" data-kind="primary">
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
        !isNowhere && <Holdouts all={all} env={env} isLoading={!document.isSuccess} />
      )}
    </Page>
  );
}

function Holdouts(props: {
  readonly all: readonly Holdout[];
  readonly env: string;
  readonly isLoading: boolean;
}) {
  const texts = useHoldoutsTexts();
  const { language } = useLanguage();
  const search = useSearch({ from: "/inside/environment/holdouts" });
  const navigate = useNavigate({ from: "/holdouts" });
  const { all, env, isLoading } = props;
  const now = new Date();
  const rows = shown(all, search, now, language.tag);
  const change = (
    part: {
      readonly [name in keyof HoldoutsSearch]: HoldoutsSearch[name] | undefined;
    },
  ) =>
    void navigate({
      search: (former) => ({ ...former, ...part }) as typeof former,
      replace: true,
    });
  const count = (phase: string | undefined) =>
    all.filter((holdout) => !phase || phaseOf(holdout, now) === phase).length;
  return (
    <>
      <fieldset className={styles.segments}>
        <legend className="mu-hidden">{texts.phase}</legend>
        {[undefined, ...phaseNames].map((phase) => (
          <button
            key={phase ?? ""}
            type="button"
            aria-pressed={search.phase === phase}
            onClick={() => change({ phase })}
          >
            {phase ? texts.phases[phase] : texts.anyPhase}
            <small>{count(phase).toLocaleString(language.tag)}</small>
          </button>
        ))}
      </fieldset>
      <ListTools count={!isLoading && texts.shown(rows.length.toLocaleString(language.tag))} />
      {!isLoading && rows.length === 0 ? (
        <p className="card calm">{texts.nothing}</p>
      ) : (
        <HoldoutsTable
          rows={rows}
          env={env}
          now={now}
          isLoading={isLoading}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
        />
      )}
    </>
  );
}

function shown(
  all: readonly Holdout[],
  { phase, sort }: HoldoutsSearch,
  now: Date,
  tag: string,
): readonly Holdout[] {
  const place = (holdout: Holdout) => phaseNames.indexOf(phaseOf(holdout, now));
  const rows = all
    .filter((holdout) => !phase || phaseOf(holdout, now) === phase)
    .toSorted((a, b) => place(a) - place(b));
  const by = {
    key: ({ key }: Holdout) => key,
    percent: ({ percent }: Holdout) => percent,
    phase: place,
  };
  return sorted(rows, sort, by, tag);
}
