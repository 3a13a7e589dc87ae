import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../api/use-may";
import { timeZone, useInstant } from "../../language/dates";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { ForRoles } from "../../ui/for-roles";
import listStyles from "../../ui/list.module.css";
import { Skeleton } from "../../ui/skeleton";
import { LoadFailed } from "../../ui/states";
import { useLastDefined } from "../../ui/use-last";
import whoStyles from "../../ui/who.module.css";
import { endSessions, type PersonSession, personQuery, sessionsQuery } from "./person-queries";
import { usePersonTexts } from "./texts/texts";
import { useMayManage } from "./use-may-manage";

/** The sessions of a person, and buttons to end them. */
export function SessionsTab() {
  const texts = usePersonTexts();
  const { userId } = useParams({ from: "/inside/people/$userId" });
  const may = useMay();
  const mayManage = useMayManage(useQuery(personQuery(userId)).data);
  const sessions = useQuery({ ...sessionsQuery(userId), enabled: mayManage && may("people") });
  const [ending, setEnding] = useState<PersonSession | "all">();
  if (!may("people")) return <ForRoles task="people">{null}</ForRoles>;
  if (!mayManage) return <p className="card calm">{texts.adminSessions}</p>;
  if (sessions.isPending) return <Skeleton rows={3} />;
  if (sessions.isError) return <LoadFailed error={sessions.error} onRetry={sessions.refetch} />;
  const all = sessions.data;
  if (all.length === 0) {
    return (
      <div className="card calm">
        <p>{texts.noSessions}</p>
        <p className="note">{texts.noSessionsHint}</p>
      </div>
    );
  }
  return (
    <>
      <div className={listStyles.bar}>
        <p className="note">{texts.zone(timeZone())}</p>
        <Button kind="danger" onClick={() => setEnding("all")}>
          {texts.endAll}
        </Button>
      </div>
      <ul className={`card ${listStyles.rows}`}>
        {all.map((session) => (
          <SessionRow key={session.sid} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      <EndSessions userId={userId} ending={ending} onClose={() => setEnding(undefined)} />
    </>
  );
}

function SessionRow(props: { readonly session: PersonSession; readonly onEnd: () => void }) {
  const texts = usePersonTexts();
  const written = useInstant();
  const { device, last_used_at, created_at, method } = props.session;
  const by = method ? texts.methods[method] : texts.unknownMethod;
  return (
    <li>
      <div className={whoStyles.who}>
        <strong>
          <bdi>{device || texts.unknownDevice}</bdi>
        </strong>
        <span className="note">
          {texts.lastUsed} <time dateTime={last_used_at}>{written(last_used_at)}</time>
        </span>
        <span className="note">
          {texts.signedIn} <time dateTime={created_at}>{written(created_at)}</time> ({by})
        </span>
      </div>
      <Button kind="secondary" onClick={props.onEnd}>
        {texts.end}
      </Button>
    </li>
  );
}

interface EndSessionsProps {
  readonly userId: string;
  readonly ending: PersonSession | "all" | undefined;
  readonly onClose: () => void;
}

function EndSessions({ userId, ending, onClose }: EndSessionsProps) {
  const texts = usePersonTexts();
  const client = useQueryClient();
  const target = useLastDefined(ending);
  const isAll = target === "all";
  const device = target && target !== "all" ? target.device || texts.unknownDevice : "";
  return (
    <Confirm
      open={ending !== undefined}
      onClose={onClose}
      title={isAll ? texts.endAllTitle(userId) : texts.endTitle(device)}
      action={isAll ? texts.endAll : texts.end}
      isDangerous
      onConfirm={async () => {
        await endSessions(userId, target && target !== "all" ? target.sid : undefined);
        toasts.say(isAll ? texts.endedAll : texts.ended);
        await client.invalidateQueries({ queryKey: sessionsQuery(userId).queryKey });
      }}
    >
      <p>{isAll ? texts.endAllHint : texts.endHint}</p>
    </Confirm>
  );
}
