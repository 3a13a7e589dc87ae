import { useQuery } from "@tanstack/react-query";
import { FlagLink } from "../configuration/document/flag-link";
import { type StaleFlag, staleQuery } from "../configuration/document/stale-query";
import { FlagsFrame } from "../configuration/frame";
import { useLanguage } from "../language/language-context";
import { type Column, LongTable } from "../table/long-table";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { useEnvironmentsTexts } from "./texts/texts";

export function StalePage() {
  const texts = useEnvironmentsTexts();
  return (
    <FlagsFrame title={texts.staleTitle} intro={texts.staleIntro}>
      {(env) => <StaleList env={env} />}
    </FlagsFrame>
  );
}

/** Lists the flags that can be removed from the code, and why. */
function StaleList({ env }: { readonly env: string }) {
  const texts = useEnvironmentsTexts();
  const { tag } = useLanguage().language;
  const stale = useQuery(staleQuery(env));
  if (stale.isPending) return <Skeleton rows={5} />;
  if (stale.isError) return <LoadFailed error={stale.error} onRetry={stale.refetch} />;
  const { days, items } = stale.data;
  const span = days.toLocaleString(tag);
  const columns: readonly Column<StaleFlag>[] = [
    {
      id: "flag",
      title: texts.flag,
      width: "30%",
      cell: ({ flag }) => <FlagLink flag={flag} />,
    },
    {
      id: "why",
      title: texts.why,
      width: "40%",
      cell: ({ reasons, variation }) => (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{texts.reasons[reason](span, variation ?? "–")}</li>
          ))}
        </ul>
      ),
    },
    { id: "owner", title: texts.owner, width: "15%", cell: ({ owner }) => owner },
    {
      id: "asked",
      title: texts.asked,
      width: "15%",
      cell: ({ asked }) => asked.toLocaleString(tag),
    },
  ];
  if (items.length === 0) {
    return (
      <div className="card calm">
        <p>{texts.noStale}</p>
        <p className="note">{texts.noStaleHint(span)}</p>
      </div>
    );
  }
  return (
    <LongTable
      label={texts.staleTitle}
      columns={columns}
      rows={items}
      rowKey={({ flag }) => flag}
      isMore={false}
      isLoading={false}
      onMore={() => undefined}
    />
  );
}
