import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../api/use-may";
import { GrantChips } from "../grants/grant-chips";
import { useInstant } from "../language/dates";
import { type Column, LongTable } from "../table/long-table";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { ForRoles } from "../ui/for-roles";
import { PageTools } from "../ui/page-tools";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { useLastDefined } from "../ui/use-last";
import whoStyles from "../ui/who.module.css";
import { CreateServiceKey } from "./create-service-key";
import {
  revokeServiceKey,
  SERVICE_KEYS,
  type ServiceKey,
  serviceKeysQuery,
} from "./service-keys-queries";
import { useServiceKeysTexts } from "./texts/texts";

/** The keys with which other programs of the company use the API. */
export function ServiceKeysTab() {
  const texts = useServiceKeysTexts();
  const may = useMay();
  if (!may("company")) return <ForRoles task="company">{null}</ForRoles>;
  return (
    <>
      <p className="note">{texts.intro}</p>
      <Keys />
    </>
  );
}

function Keys() {
  const texts = useServiceKeysTexts();
  const keys = useQuery(serviceKeysQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ServiceKey>();
  const columns = useColumns(setRevoking);
  if (keys.isPending) return <Skeleton />;
  if (keys.isError) return <LoadFailed error={keys.error} onRetry={keys.refetch} />;
  return (
    <>
      <PageTools>
        <Button onClick={() => setCreating(true)}>{texts.create}</Button>
      </PageTools>
      {keys.data.length === 0 ? (
        <div className="card calm">
          <p>{texts.none}</p>
          <p className="note">{texts.noneHint}</p>
        </div>
      ) : (
        <LongTable label={texts.title} columns={columns} rows={keys.data} rowKey={({ id }) => id} />
      )}
      <CreateServiceKey open={isCreating} onClose={() => setCreating(false)} />
      <Revoke revoking={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
}

function useColumns(onRevoke: (key: ServiceKey) => void): readonly Column<ServiceKey>[] {
  const texts = useServiceKeysTexts();
  const written = useInstant();
  const moment = (at: string) => <time dateTime={at}>{written(at)}</time>;
  return [
    {
      id: "name",
      title: texts.name,
      width: "26%",
      cell: ({ id, name }) => (
        <div className={whoStyles.who}>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <bdi className="mono note">{id}</bdi>
        </div>
      ),
    },
    {
      id: "roles",
      title: texts.roles,
      width: "24%",
      cell: ({ roles }) => (
        <span className={whoStyles.who}>
          <span>
            <GrantChips roles={roles} />
          </span>
        </span>
      ),
    },
    {
      id: "used",
      title: texts.lastUsed,
      width: "18%",
      cell: ({ last_used_at: at }) =>
        at ? moment(at) : <span className="note">{texts.never}</span>,
    },
    {
      id: "expires",
      title: texts.expires,
      width: "18%",
      cell: ({ expires_at: at }) =>
        at ? moment(at) : <span className="note">{texts.noExpiry}</span>,
    },
    {
      id: "state",
      title: texts.state,
      width: "14%",
      cell: (key) => <State serviceKey={key} onRevoke={onRevoke} />,
    },
  ];
}

function State(props: {
  readonly serviceKey: ServiceKey;
  readonly onRevoke: (key: ServiceKey) => void;
}) {
  const texts = useServiceKeysTexts();
  const { serviceKey, onRevoke } = props;
  const isExpired =
    serviceKey.expires_at !== undefined && Date.parse(serviceKey.expires_at) <= Date.now();
  if (serviceKey.revoked_at || isExpired) {
    return (
      <span className="chip" data-tone="bad">
        {serviceKey.revoked_at ? texts.revoked : texts.expired}
      </span>
    );
  }
  return (
    <Button
      kind="secondary"
      aria-label={texts.revokeThis(serviceKey.name)}
      onClick={() => onRevoke(serviceKey)}
    >
      {texts.revoke}
    </Button>
  );
}

function Revoke(props: {
  readonly revoking: ServiceKey | undefined;
  readonly onClose: () => void;
}) {
  const texts = useServiceKeysTexts();
  const written = useInstant();
  const client = useQueryClient();
  const key = useLastDefined(props.revoking);
  const name = key?.name ?? "";
  return (
    <Confirm
      open={props.revoking !== undefined}
      onClose={props.onClose}
      title={texts.revokeAsk(name)}
      action={texts.revoke}
      isDangerous
      onConfirm={async () => {
        if (!key) return;
        await revokeServiceKey(key.id);
        toasts.say(texts.revokedNow(name));
        await client.invalidateQueries({ queryKey: [SERVICE_KEYS] });
      }}
    >
      <p>{texts.revokeHint}</p>
      <p className="note">
        {key?.last_used_at ? texts.usedLast(written(key.last_used_at)) : texts.neverUsed}
      </p>
    </Confirm>
  );
}
