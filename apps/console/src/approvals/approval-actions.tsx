import { Button, Modal } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { toasts } from "../toast/toasts";
import { DialogForm } from "../ui/dialog-form";
import pageStyles from "../ui/page.module.css";
import { FailureText } from "../ui/states";
import { isOwnChange, isSettled } from "./settled";
import { useApprovalsTexts } from "./texts/texts";

interface ApprovalActionsProps {
  readonly title: string;
  /** The signed-in person has approved it already. */
  readonly isMine: boolean;
  /** The signed-in person has edited it, and cannot approve their own change. */
  readonly isOwn: boolean;
  /** It needs no further approval. */
  readonly isReady?: boolean;
  readonly onApprove: () => Promise<unknown>;
  readonly onTakeBack: () => Promise<unknown>;
  readonly onSendBack: (comment: string) => Promise<unknown>;
  readonly onDone: () => Promise<unknown>;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Approves, withdraws the person's own approval, or sends the change back with a comment. */
export function ApprovalActions(props: ApprovalActionsProps) {
  const texts = useApprovalsTexts();
  const { isMine, isOwn, isReady, onDone } = props;
  const [isSendingBack, setSendingBack] = useState(false);
  const deciding = useMutation({
    mutationFn: () => (isMine ? props.onTakeBack() : props.onApprove()),
    onSuccess: () => {
      toasts.say(isMine ? texts.takenBack : texts.approved);
      return onDone();
    },
    onError: (error) => {
      // A toast, because the item may disappear when the list is fetched again.
      if (isSettled(error)) toasts.say(texts.meanwhile);
      return onDone();
    },
  });
  const isRefusedAsOwn = isOwnChange(deciding.error);
  return (
    <>
      {deciding.isError && !isRefusedAsOwn && !isSettled(deciding.error) && (
        <FailureText error={deciding.error} />
      )}
      {isOwn && !isReady && <p className="note">{texts.ownChange}</p>}
      {!isOwn && isRefusedAsOwn && (
        <p className="note" role="alert">
          {texts.samePerson}
        </p>
      )}
      <div className={pageStyles.actions}>
        {!isOwn && (
          <>
            <Button
              kind={isMine ? "secondary" : "primary"}
              loading={deciding.isPending}
              onClick={() => deciding.mutate()}
            >
              {isMine ? texts.takeBack : texts.approve}
            </Button>
            <Button kind="secondary" onClick={() => setSendingBack(true)}>
              {texts.sendBack}…
            </Button>
          </>
        )}
        {props.children}
      </div>
      <Modal
        open={isSendingBack}
        onClose={() => setSendingBack(false)}
        label={texts.sendBackTitle(props.title)}
      >
        <SendBack {...props} onClose={() => setSendingBack(false)} />
      </Modal>
    </>
  );
}

function SendBack(props: ApprovalActionsProps & { readonly onClose: () => void }) {
  const texts = useApprovalsTexts();
  const id = useId();
  const [comment, setComment] = useState("");
  const sending = useMutation({
    mutationFn: () => props.onSendBack(comment.trim()),
    onSuccess: async () => {
      toasts.say(texts.sentBack);
      props.onClose();
      await props.onDone();
    },
    onError: async (error) => {
      if (!isSettled(error)) return;
      toasts.say(texts.meanwhile);
      props.onClose();
      await props.onDone();
    },
  });
  return (
    <DialogForm
      title={texts.sendBackTitle(props.title)}
      action={texts.sendBack}
      isBusy={sending.isPending}
      isDisabled={!comment.trim()}
      error={sending.error}
      onSubmit={() => sending.mutate()}
      onCancel={props.onClose}
    >
      <div className="field">
        <label htmlFor={id}>{texts.comment}</label>
        <textarea
          id={id}
          rows={3}
          dir="auto"
          required
          maxLength={1000}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
        <p className="note">{texts.sendBackHint}</p>
      </div>
    </DialogForm>
  );
}
