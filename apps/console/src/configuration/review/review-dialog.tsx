import { MODAL_CLOSE_MS } from "@musette/react/theme";
import { Modal } from "@musette/react/ui";
import { Suspense, useEffect, useId, useState } from "react";
import { toasts } from "../../toast/toasts";
import bannerStyles from "../../ui/banner.module.css";
import { DialogForm } from "../../ui/dialog-form";
import { NeedsApproval } from "../../ui/needs-approval";
import { keepFocus } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ChangeList } from "./change-list";
import { Conflicts } from "./conflicts";
import { ErrorList } from "./error-list";
import styles from "./review.module.css";
import { useReviewTexts } from "./texts/texts";
import { type Proposal, useReview } from "./use-review";

interface ReviewProps extends Proposal {
  readonly environment: string;
  readonly title?: string;
  /** The initial comment. */
  readonly comment?: string;
  /** A reason is required. */
  readonly isCommentRequired?: boolean;
  readonly onClose: () => void;
  readonly onSaved: (version: number, comment: string) => void;
  /** Called when it waits for approvals: its draft is no longer unsaved work. */
  readonly onProposed?: () => void;
}

/**
 * Reviews a change before it is saved: the difference, a comment, and the conflicts if another
 * person has saved meanwhile.
 */
export function ReviewDialog(props: ReviewProps & { readonly open: boolean }) {
  // The texts load with the dialog. Without this boundary, the page would be replaced meanwhile.
  return (
    <Suspense fallback={null}>
      <ReviewModal {...props} />
    </Suspense>
  );
}

function ReviewModal(props: ReviewProps & { readonly open: boolean }) {
  const texts = useReviewTexts();
  const { open, onClose } = props;
  useEffect(() => {
    if (!open) return;
    // After the closing animation, when the dialog has returned the focus, if the button still
    // exists.
    return () => void setTimeout(keepFocus, MODAL_CLOSE_MS + 50);
  }, [open]);
  return (
    <Modal open={open} onClose={onClose} label={props.title ?? texts.review}>
      {open && <Review {...props} />}
    </Modal>
  );
}

function Review(props: ReviewProps) {
  const texts = useReviewTexts();
  const [comment, setComment] = useState(props.comment ?? "");
  const id = useId();
  const review = useReview(props.environment, props, props.onSaved);
  const propose = async () => {
    if (!(await review.propose(comment))) return;
    toasts.say(texts.proposed);
    props.onProposed?.();
    props.onClose();
  };
  return (
    <DialogForm
      className={styles.review}
      title={props.title ?? texts.review}
      action={review.approvals ? texts.propose : texts.save}
      isBusy={review.approvals ? review.isProposing : review.isSaving}
      isDisabled={review.hasOpenConflicts || review.isMerging}
      error={review.failure}
      onSubmit={() => (review.approvals ? void propose() : review.save(comment))}
      onCancel={props.onClose}
    >
      {!review.approvals && (
        <p className="note">
          {texts.reviewIn} <bdi className="mono">{props.environment}</bdi>
        </p>
      )}
      {(review.isBaseStale || review.conflicts.length > 0) && (
        <p role="status" className={bannerStyles.banner}>
          {review.conflicts.length > 0 ? texts.movedOnBoth : texts.movedOn}
        </p>
      )}
      <Conflicts conflicts={review.conflicts} sides={review.sides} onChoose={review.choose} />
      {!review.document && !review.failure && <Skeleton rows={2} />}
      {review.document && !review.hasOpenConflicts && (
        <ChangeList before={review.current} after={review.document} />
      )}
      <div className="field">
        <label htmlFor={id}>{texts.comment}</label>
        <textarea
          id={id}
          rows={2}
          maxLength={1000}
          dir="auto"
          required={props.isCommentRequired}
          placeholder={texts.commentHint}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
      </div>
      {review.approvals && (
        <NeedsApproval
          approvals={review.approvals}
          hint={texts.proposeHint}
          isBusy={review.isSaving}
          error={undefined}
          onBreakGlass={(reason) => void review.save(comment, reason)}
        />
      )}
      {review.errors && (
        <ErrorList document={review.document ?? props.document} errors={review.errors} />
      )}
    </DialogForm>
  );
}
