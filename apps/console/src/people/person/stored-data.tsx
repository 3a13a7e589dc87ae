import { Button } from "@musette/react/ui";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import type { Wire } from "../../api/wire";
import { useLanguage } from "../../language/language-context";
import factStyles from "../../ui/facts.module.css";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { usePersonTexts } from "./texts/texts";

type PersonData = Wire<"PersonData">;
type Row = Readonly<Record<string, unknown>>;

/** Each request leaves an entry in the audit log, so it is not refetched automatically. */
const keptQuery = (userId: string) =>
  queryOptions({
    queryKey: ["people", userId, "data"],
    queryFn: () => api.get("/api/admin/v1/people/{userId}/data", { path: { userId } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Shows all stored data of a person. */
export function StoredData({ userId }: { readonly userId: string }) {
  const texts = usePersonTexts();
  const [isShown, setShown] = useState(false);
  const data = useQuery({ ...keptQuery(userId), enabled: isShown });
  if (!isShown) {
    return (
      <div>
        <Button kind="quiet" onClick={() => setShown(true)}>
          {texts.showData}
        </Button>
      </div>
    );
  }
  if (data.isPending) return <Skeleton />;
  if (data.isError) return <LoadFailed error={data.error} onRetry={data.refetch} />;
  return <Parts data={data.data} />;
}

function Parts({ data }: { readonly data: PersonData }) {
  const texts = usePersonTexts();
  const { made_at: _, person, experiments, records, ...lists } = data;
  const parts: readonly (readonly [string, readonly Row[]])[] = [
    [texts.keptParts.person ?? "", [{ ...person }]],
    ...Object.entries(lists).map(
      ([name, rows]) => [texts.keptParts[name] ?? name, rows as readonly Row[]] as const,
    ),
    ...Object.entries({ ...experiments, ...records }).map(
      ([name, rows]) => [`${texts.keptParts.records}: ${name}`, rows as readonly Row[]] as const,
    ),
  ];
  return (
    <div data-part="kept">
      {parts.map(([name, rows]) => (
        <Part key={name} name={name} rows={rows} />
      ))}
    </div>
  );
}

function Part({ name, rows }: { readonly name: string; readonly rows: readonly Row[] }) {
  const { language } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name} <span className="note">({rows.length.toLocaleString(language.tag)})</span>
      </summary>
      {isOpen &&
        rows.map((row) => (
          <dl key={JSON.stringify(row)} className={factStyles.facts} dir="ltr">
            {Object.entries(row).map(([member, value]) => (
              <Fact key={member} member={member} value={value} />
            ))}
          </dl>
        ))}
    </details>
  );
}

function Fact({ member, value }: { readonly member: string; readonly value: unknown }) {
  return (
    <>
      <dt className="mono">{member}</dt>
      <dd>
        <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
      </dd>
    </>
  );
}
