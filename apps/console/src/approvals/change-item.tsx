import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePersonNames } from "../api/person-names";
import { environmentKey } from "../configuration/document/flags-document";
import { ChangeObjects } from "../configuration/review/change-objects";
import { cancelChange, type PlannedChange } from "../configuration/review/changes-query";
import { useMoment } from "../language/use-moment";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { ForRoles } from "../ui/for-roles";
import { FailureText } from "../ui/states";
import { ApprovalActions } from "./approval-actions";
import styles from "./approvals.module.css";
import {
  applyChange,
  approveChange,
  sendBackChange,
  withdrawChangeApproval,
} from "./approvals-queries";
import { Progress, ProgressChip, useOwnInvolvement } from "./progress";
import { isSettled } from "./settled";
import { useApprovalsTexts } from "./texts/texts";

interface ChangeItemProps {
  readonly env: string;
  readonly change: PlannedChange;
}

/** A proposed change of flags, with every object that it changes. */
export function ChangeItem({ env, change }: ChangeItemProps) {
  const texts = useApprovalsTexts();
  const moment = useMoment();
  const client = useQueryClient();
  const nameOf = usePersonNames(change.author ? [change.author] : []);
  const own = useOwnInvolvement(change, change.author);
  const path = { environment: env, id: change.id };
  const changed = () => client.invalidateQueries({ queryKey: environmentKey(env) });
  const [isDiscarding, setDiscarding] = useState(false);
  const applying = useMutation({
    mutationFn: async () => {
      // The server refuses the change if a conflicting change was saved in the meantime.
      const { status } = await applyChange(path);
      toasts.say(status === "refused" ? texts.refused : texts.applied);
    },
    onError: (error) => {
      if (isSettled(error)) toasts.say(texts.meanwhile);
    },
    onSettled: changed,
  });
  const keys = change.objects?.map(({ key }) => key).join(", ");
  const title = change.comment || keys || change.id;
  const isReady = (change.approvals?.length ?? 0) >= (change.approvals_needed ?? 0);
  return (
    <>
      <div className={styles.head}>
        <h3>
          <bdi>{title}</bdi>
        </h3>
        <ProgressChip of={change} />
      </div>
      <p className="note">
        {change.author && texts.proposedBy(nameOf(change.author), moment(change.created_at))}
        {" · "}
        {change.at ? texts.at(moment(change.at)) : texts.atOnce}
      </p>
      <Progress of={change} />
      <section aria-label={texts.objects}>
        <ChangeObjects env={env} id={change.id} />
      </section>
      {applying.isError && !isSettled(applying.error) && <FailureText error={applying.error} />}
      <ForRoles task="flags" scope={env}>
        <ApprovalActions
          title={title}
          {...own}
          isReady={isReady}
          onApprove={() => approveChange(path, change.sha256 ?? "")}
          onTakeBack={() => withdrawChangeApproval(path)}
          onSendBack={(comment) => sendBackChange(path, comment)}
          onDone={changed}
        >
          {isReady && (
            <Button loading={applying.isPending} onClick={() => applying.mutate()}>
              {texts.apply}
            </Button>
          )}
          <Button kind="secondary" onClick={() => setDiscarding(true)}>
            {texts.discard}…
          </Button>
        </ApprovalActions>
        <Confirm
          open={isDiscarding}
          onClose={() => setDiscarding(false)}
          title={texts.discardTitle(title)}
          action={texts.discard}
          isDangerous
          onConfirm={async () => {
            await cancelChange(env, change.id);
            toasts.say(texts.discarded);
            await changed();
          }}
        >
          <p>{texts.discardText}</p>
        </Confirm>
      </ForRoles>
    </>
  );
}
