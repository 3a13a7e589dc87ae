import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { environmentsQuery } from "../../configuration/document/environment-queries";
import { chooseEnvironment } from "../../configuration/document/environment-search";
import { REMEMBERED } from "../../configuration/document/use-environment";
import { readStored } from "../../storage/storage";
import { ChoiceField } from "../../ui/choice-field";
import { Field } from "../../ui/field";
import filterStyles from "../../ui/filter.module.css";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { Attributes } from "./attributes";
import { FlagRow } from "./flag-row";
import { evaluationsQuery } from "./flags-queries";
import { type FlagsSearch, readFlagsSearch } from "./flags-search";
import styles from "./person.module.css";
import { usePersonTexts } from "./texts/texts";

/** The flags that a person gets, and why. */
export function FlagsTab() {
  const texts = usePersonTexts();
  const environments = useQuery(environmentsQuery);
  const { env } = useSearch({ from: "/inside/people/$userId/flags" });
  if (environments.isPending) return <Skeleton />;
  if (environments.isError) {
    return <LoadFailed error={environments.error} onRetry={environments.refetch} />;
  }
  const names = environments.data.map(({ name }) => name);
  const chosen = chooseEnvironment(names, env, readStored(REMEMBERED));
  if (!chosen) {
    return (
      <div className="card calm">
        <p>{texts.noEnvironment}</p>
        <p className="note">{texts.noEnvironmentHint}</p>
        <Link to="/settings/environments">{texts.toEnvironments}</Link>
      </div>
    );
  }
  return <Flags environment={chosen} names={names} />;
}

interface FlagsProps {
  readonly environment: string;
  readonly names: readonly string[];
}

function Flags({ environment, names }: FlagsProps) {
  const texts = usePersonTexts();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const search = useSearch({ from: "/inside/people/$userId/flags" });
  const navigate = useNavigate({ from: "/people/$userId/flags" });
  const evaluations = useQuery(evaluationsQuery(environment, userId, search.with));
  const change = (part: FlagsSearch) =>
    void navigate({ search: (former) => readFlagsSearch({ ...former, ...part }), replace: true });

  const all = Object.entries(evaluations.data?.flags ?? {});
  const filter = search.q?.toLowerCase() ?? "";
  const shown = all.filter(([key]) => key.toLowerCase().includes(filter));
  const attributes = [
    ...new Set(all.flatMap(([, { relevantContext }]) => Object.keys(relevantContext ?? {}))),
  ];
  return (
    <>
      <p className="note">{texts.flagsIntro}</p>
      <FlagsFilter environment={environment} names={names} q={search.q} onChange={change} />
      <Attributes
        known={attributes.filter((name) => name !== "userId")}
        given={search.with ?? {}}
        onChange={(given) => change({ with: given })}
      />
      {evaluations.isPending && <Skeleton />}
      {evaluations.isError && (
        <LoadFailed error={evaluations.error} onRetry={evaluations.refetch} />
      )}
      {evaluations.isSuccess && all.length === 0 && (
        <div className="card calm">
          <p>{texts.noFlags}</p>
        </div>
      )}
      {evaluations.isSuccess && all.length > 0 && (
        <>
          <p className="note" role="status">
            {texts.flagsShown(shown.length, all.length)}
          </p>
          <ul
            className={`card ${styles.flagRows}`}
            data-stale={evaluations.isPlaceholderData || undefined}
          >
            {shown.map(([key, evaluation]) => (
              <FlagRow key={key} name={key} evaluation={evaluation} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface FlagsFilterProps extends FlagsProps {
  readonly q: string | undefined;
  readonly onChange: (part: FlagsSearch) => void;
}

function FlagsFilter({ environment, names, q, onChange }: FlagsFilterProps) {
  const texts = usePersonTexts();
  return (
    <search className={filterStyles.filter}>
      <ChoiceField
        label={texts.environment}
        options={names}
        value={environment}
        onChange={(env) => onChange({ env })}
      />
      <Field
        type="search"
        required={false}
        label={texts.findFlag}
        autoComplete="off"
        spellCheck={false}
        value={q ?? ""}
        onChange={(q) => onChange({ q })}
      />
    </search>
  );
}
