import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useLanguage } from "../../language/language-context";
import { type Column, LongTable } from "../../table/long-table";
import { LoadFailed } from "../../ui/states";
import type { PublishedTerm } from "../terms-query";
import styles from "./coverage.module.css";
import { type Coverage, type MissingRider, missingQuery } from "./coverage-query";
import { ExportMissing } from "./export-button";
import { MissingSearch } from "./missing-search";
import { type List, listsOf } from "./phase";
import { useCoverageTexts } from "./texts/texts";

interface MissingProps {
  readonly term: PublishedTerm;
  readonly asOf: string | undefined;
  readonly market: string | undefined;
  readonly coverage: Coverage;
}

/** The riders who have not decided, who declined, and who withdrew, in separate lists. */
export function Missing({ term, asOf, market, coverage }: MissingProps) {
  const texts = useCoverageTexts();
  const { q = "", list: chosen } = useSearch({ from: "/inside/terms/$termId/coverage" });
  const offered = listsOf(term, coverage);
  const list = chosen ?? offered[0] ?? "declined";
  const filter = { term: term.id, list, q, asOf, market };
  const pages = useInfiniteQuery(missingQuery(filter));
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
  return (
    <section className={styles.missing}>
      <h2>{texts.lists[list]}</h2>
      <header>
        <Lists offered={offered} list={list} coverage={coverage} />
        {!isNobody && <ExportMissing filter={filter} total={coverage[`riders_${list}`]} />}
      </header>
      {(q || !isNobody) && <MissingSearch q={q} />}
      {pages.isError && <LoadFailed error={pages.error} onRetry={pages.refetch} />}
      {isNobody ? (
        <div className="card calm">
          <p>{q ? texts.noneFits : texts.noRidersIn[list]}</p>
        </div>
      ) : (
        <LongTable
          label={texts.lists[list]}
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

interface ListsProps {
  readonly offered: readonly List[];
  readonly list: List;
  readonly coverage: Coverage;
}

function Lists({ offered, list, coverage }: ListsProps) {
  const texts = useCoverageTexts();
  const { tag } = useLanguage().language;
  return (
    <nav className={styles.ranges} aria-label={texts.lists.label}>
      {offered.map((name) => (
        <Link
          key={name}
          from="/terms/$termId/coverage"
          search={({ list: _list, ...others }) => ({
            ...others,
            ...(name !== offered[0] && name !== "pending" && { list: name }),
          })}
          aria-current={name === list ? "page" : undefined}
          activeOptions={{ exact: true }}
          replace
          resetScroll={false}
        >
          {texts.listCount(texts[name], coverage[`riders_${name}`].toLocaleString(tag))}
        </Link>
      ))}
    </nav>
  );
}
