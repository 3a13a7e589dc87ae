import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../api/me";
import { usePersonNames } from "../api/person-names";
import { useLanguage } from "../language/language-context";
import { useMoment } from "../language/use-moment";
import stateStyles from "../ui/state.module.css";
import styles from "./approvals.module.css";
import type { Approvable } from "./approvals-queries";
import { useApprovalsTexts } from "./texts/texts";

/** Shows who edited and approved it, and why it was sent back. */
export function Progress(props: { readonly of: Approvable; readonly editor?: string | undefined }) {
  const texts = useApprovalsTexts();
  const { tag } = useLanguage().language;
  const { approvals = [], rejection } = props.of;
  const by = approvals.flatMap(({ user_id: id }) => (id ? [id] : []));
  const rejecter = rejection?.user_id;
  const moment = useMoment();
  const shown = approvals.filter((approval) => approval.link_shown_at !== undefined);
  const nameOf = usePersonNames([
    ...by,
    ...(props.editor ? [props.editor] : []),
    ...(rejecter ? [rejecter] : []),
    ...shown.flatMap(({ link_shown_to: admin }) => (admin ? [admin] : [])),
  ]);
  return (
    <>
      <p className="note">
        {[
          props.editor && texts.editedBy(nameOf(props.editor)),
          by.length > 0 && texts.by(new Intl.ListFormat(tag).format(by.map(nameOf))),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
      {shown.map(({ user_id: id, link_shown_to: admin, link_shown_at: at = "" }) => (
        <p key={id ?? at} className={stateStyles.state} data-state="warning">
          {texts.linkShown(id ? nameOf(id) : "–", admin ? nameOf(admin) : "–", moment(at))}
        </p>
      ))}
      {rejection && (
        <div className={styles.comment}>
          <p className="note">{texts.wasSentBack(rejecter ? nameOf(rejecter) : "–")}</p>
          <p>
            <bdi>{rejection.comment}</bdi>
          </p>
        </div>
      )}
    </>
  );
}

export function ProgressChip({ of }: { readonly of: Approvable }) {
  const texts = useApprovalsTexts();
  const { tag } = useLanguage().language;
  const [count, needed] = [of.approvals?.length ?? 0, of.approvals_needed ?? 0];
  // Switching a flag off needs no approval.
  if (needed === 0) return null;
  return (
    <span className="chip" data-tone={count >= needed ? "good" : "warning"}>
      {texts.given(count.toLocaleString(tag), needed.toLocaleString(tag))}
    </span>
  );
}

/**
 * Returns whether the signed-in person approved it or was its last editor. The server refuses
 * earlier editors as well.
 */
export function useOwnInvolvement({ approvals = [] }: Approvable, editor: string | undefined) {
  const me = useQuery(meQuery).data?.user_id ?? "";
  return { isMine: approvals.some(({ user_id: id }) => id === me), isOwn: editor === me };
}
