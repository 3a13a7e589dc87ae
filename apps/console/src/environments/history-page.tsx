import { Button } from "@musette/react/ui";
import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { Tagged } from "../api/client";
import type { FlagsDocument } from "../configuration/document/document";
import type { SavedVersion } from "../configuration/document/flags-document";
import { FlagsFrame } from "../configuration/frame";
import { ChangeList } from "../configuration/review/change-list";
import { versionsQuery } from "../configuration/review/changes-query";
import { ReviewDialog } from "../configuration/review/review-dialog";
import { useReviewTexts } from "../configuration/review/texts/texts";
import { timeZone } from "../language/dates";
import { useMoment } from "../language/use-moment";
import { toasts } from "../toast/toasts";
import quietStyles from "../ui/quiet-button.module.css";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { describeVersion } from "./describe-version";
import styles from "./history.module.css";
import { HistoryFilter } from "./history-filter";
import { PagedList } from "./paged-list";
import { useEnvironmentsTexts } from "./texts/texts";
import { versionQuery } from "./version-query";

export function HistoryPage() {
  const texts = useEnvironmentsTexts();
  return (
    <FlagsFrame title={texts.historyTitle} intro={texts.historyIntro(timeZone())}>
      {(env, base) => <History key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}

interface HistoryProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
}

function History({ env, base }: HistoryProps) {
  const texts = useEnvironmentsTexts();
  const { version, against, flag, by } = useSearch({
    from: "/inside/environment/flags/history",
  });
  const pages = useInfiniteQuery(versionsQuery(env, flag, by));
  const isFiltered = flag !== undefined || by !== undefined;
  return (
    <>
      <HistoryFilter
        flags={base.body.flags.map(({ key }) => key)}
        versions={pages.data?.pages.flatMap(({ items }) => items) ?? []}
      />
      {version !== undefined && (
        <VersionComparison
          key={`${version} ${against}`}
          env={env}
          base={base}
          version={version}
          against={against ?? Math.max(0, version - 1)}
        />
      )}
      <PagedList
        pages={pages}
        none={isFiltered ? texts.history.noneFound : texts.noHistory}
        noneHint={isFiltered ? texts.history.noneFoundHint : texts.noHistoryHint}
      >
        {(items) => (
          <ol className={`${styles.history} ${styles.versions}`}>
            {items.map((item) => (
              <li key={item.version} data-chosen={item.version === version || undefined}>
                <VersionItem it={item} isCurrent={item.version === base.body.version} />
              </li>
            ))}
          </ol>
        )}
      </PagedList>
    </>
  );
}

function VersionItem({
  it,
  isCurrent,
}: {
  readonly it: SavedVersion;
  readonly isCurrent: boolean;
}) {
  const texts = useEnvironmentsTexts();
  const reviewTexts = useReviewTexts();
  const moment = useMoment();
  return (
    <Link
      to="/flags/history"
      search={({ against: _, ...former }) => ({ ...former, version: it.version })}
      className={styles.version}
    >
      <span className={styles.versionNumber}>{it.version}</span>
      <span className={styles.versionTexts}>
        <span>
          {describeVersion(it, texts, reviewTexts)}
          {it.comment && (
            <>
              : <bdi>{it.comment}</bdi>
            </>
          )}
        </span>
        <time className="note" dateTime={it.created_at}>
          {moment(it.created_at)}
        </time>
      </span>
      {isCurrent && (
        <span className="chip" data-tone="good">
          {texts.current}
        </span>
      )}
    </Link>
  );
}

function VersionComparison(
  props: HistoryProps & { readonly version: number; readonly against: number },
) {
  const { env, base, version, against } = props;
  const texts = useEnvironmentsTexts();
  const navigate = useNavigate({ from: "/flags/history" });
  const id = useId();
  const [isReverting, setReverting] = useState(false);
  const [older, newer] = useQueries({
    queries: [versionQuery(env, against), versionQuery(env, version)],
  });
  const failed = [older, newer].find((query) => query.isError);
  const isCurrent = version === base.body.version;
  const go = (search: { readonly version: number; readonly against?: number }) =>
    void navigate({ search: ({ against: _, ...former }) => ({ ...former, ...search }) });
  return (
    <section className={`card ${styles.compared}`} aria-labelledby={id}>
      <h2 id={id} className="mu-hidden">
        {texts.compared}
      </h2>
      <div className={styles.comparedHead}>
        <VersionField
          label={texts.from}
          value={against}
          max={base.body.version}
          onChange={(next) => go({ version, against: next })}
        />
        <VersionField
          label={texts.to}
          value={version}
          max={base.body.version}
          onChange={(next) => go({ version: next, against })}
        />
        {!isCurrent && newer.data && (
          <Button kind="secondary" onClick={() => setReverting(true)}>
            {texts.goBackTo(String(version))}
          </Button>
        )}
        <button
          type="button"
          className={quietStyles.quiet}
          onClick={() =>
            void navigate({ search: ({ version: _, against: __, ...former }) => former })
          }
        >
          {texts.closeCompared}
        </button>
      </div>
      {failed && (
        <LoadFailed
          error={failed.error}
          onRetry={() => {
            void older.refetch();
            void newer.refetch();
          }}
        />
      )}
      {!failed && !(older.data && newer.data) && <Skeleton rows={3} />}
      {older.data && newer.data && <ChangeList before={older.data} after={newer.data} />}
      {newer.data && (
        <ReviewDialog
          open={isReverting}
          environment={env}
          base={base}
          document={newer.data}
          title={texts.goBackTo(String(version))}
          comment={texts.goBackComment(String(version))}
          onClose={() => setReverting(false)}
          onSaved={(saved) => {
            setReverting(false);
            toasts.say(texts.reverted(String(version)));
            go({ version: saved });
          }}
        />
      )}
    </section>
  );
}

function VersionField(props: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly onChange: (version: number) => void;
}) {
  const id = useId();
  return (
    <div className={styles.versionField}>
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={props.max}
        defaultValue={props.value}
        onChange={({ target }) => {
          if (target.value !== "" && target.validity.valid) props.onChange(target.valueAsNumber);
        }}
      />
    </div>
  );
}
