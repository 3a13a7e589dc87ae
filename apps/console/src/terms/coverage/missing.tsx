import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useLanguage } from "../../language/language-context";
import { type Column, LongTable } from "../../table/long-table";
import { LoadFailed } from "../../ui/states";
import styles from "./coverage.module.css";
import { type Coverage, type MissingRider, missingQuery } from "./coverage-query";
import { ExportMissing } from "./export-button";
import { MissingSearch } from "./missing-search";
import { useCoverageTexts } from "./texts/texts";

interface MissingProps {
  readonly term: number;
  readonly asOf: string | undefined;
  readonly market: string | undefined;
  readonly coverage: Coverage | undefined;
}

/** The riders who have not agreed. */
export function Missing({ term, asOf, market, coverage }: MissingProps) {
  const texts = useCoverageTexts();
  const { language } = useLanguage();
  const { q = "" } = useSearch({ from: "/inside/terms/$termId/coverage" });
  const filter = { term, q, asOf, market };
  const pages = useInfiniteQuery(missingQuery(filter));
  const outstanding = coverage?.riders_outstanding;
  // Some riders have not agreed, but none of them is asked.
  const isOver = outstanding === 0 && coverage && coverage.riders_accepted < coverage.riders;
  const riders = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const isNobody = pages.isSuccess && riders.length === 0 && !pages.hasNextPage;
  const columns: readonly Column<MissingRider>[] = [
    {
      id: "name",
      title: texts.name,
      width: "55%",
      cell: ({ user_id, name }) => (
        <Link to="/people/$userId" params={{ userId: user_id }}>
          {name ? <bdi>{name}</bdi> : texts.noName}
        </Link>
      ),
    },
    {
      id: "id",
      title: texts.id,
      width: "45%",
      cell: ({ user_id }) => (
        <span className="mono">
          <bdi>{user_id}</bdi>
        </span>
      ),
    },
  ];
  // Without any riders, "all have agreed" would be true but misleading.
  const hint = coverage?.riders === 0 ? texts.noRiders : isOver ? texts.overHint : texts.nobodyHint;
  return (
    <section className={styles.missing}>
      <header>
        <div>
          <h2>{texts.missing}</h2>
          {outstanding !== undefined && !isOver && (
            <p className="note">
              {texts.missingCount(outstanding, outstanding.toLocaleString(language.tag))}
            </p>
          )}
        </div>
        {!isNobody && <ExportMissing filter={filter} outstanding={outstanding} />}
      </header>
      {(q || !isNobody) && <MissingSearch q={q} />}
      {pages.isError && <LoadFailed error={pages.error} onRetry={pages.refetch} />}
      {isNobody ? (
        <div className="card calm">
          <p>{q ? texts.noneFits : texts.nobody}</p>
          {!q && <p className="note">{hint}</p>}
        </div>
      ) : (
        <LongTable
          label={texts.missing}
          columns={columns}
          rows={riders}
          rowKey={({ user_id }) => user_id}
          isMore={pages.hasNextPage}
          isLoading={pages.isFetching}
          onMore={() => void pages.fetchNextPage()}
        />
      )}
    </section>
  );
}
