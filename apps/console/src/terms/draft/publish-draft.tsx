import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { approvalRequired } from "../../api/approval-required";
import { languageName } from "../../language/in-language";
import { useLanguage } from "../../language/language-context";
import { toasts } from "../../toast/toasts";
import { Confirm } from "../../ui/confirm/confirm";
import { NeedsApproval } from "../../ui/needs-approval";
import { useTermsTexts } from "../texts/texts";
import type { Draft } from "./draft";
import { publishDraft, wasChanged } from "./draft-calls";
import type { DraftKeeper } from "./draft-keeper";
import { Findings } from "./findings";
import type { Obstacle } from "./obstacles";
import { ReasonField } from "./reason-field";
import { forgetDraft } from "./use-draft";

interface PublishDraftProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly draft: Draft;
  readonly keeper: DraftKeeper;
  readonly title: string;
  /** The problems that need a reason. */
  readonly asked: ReadonlySet<Obstacle>;
  /** The number of riders that the publication blocks immediately. */
  readonly blocked: number;
  readonly children: ReactNode;
}

export function PublishDraft(props: PublishDraftProps) {
  const draftTexts = useTermsTexts().draft;
  const { tag } = useLanguage().language;
  const navigate = useNavigate();
  const client = useQueryClient();
  const { open, onClose, draft, keeper, title, asked, blocked, children } = props;
  const [unreadable, setUnreadable] = useState("");
  const [active, setActive] = useState("");
  const publish = async (breakGlass?: string) => {
    const reasons = {
      ...(asked.has("unreadable_document") && { unreadable_ok: unreadable }),
      ...(asked.has("active_content") && { active_content_ok: active }),
    };
    const { id } = await publishDraft(draft, reasons, breakGlass).catch(async (error: unknown) => {
      if (wasChanged(error)) await keeper.reread();
      throw error;
    });
    keeper.close();
    forgetDraft(draft.id);
    toasts.say(draftTexts.published(title));
    await navigate({ to: "/terms/$termId", params: { termId: String(id) }, replace: true });
    void client.invalidateQueries({ queryKey: ["terms"] });
    void client.invalidateQueries({ queryKey: ["overview"] });
  };
  const bypassing = useMutation({ mutationFn: (reason: string) => publish(reason) });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={draftTexts.publishTitle(title)}
      action={draftTexts.publish}
      isDangerous={blocked > 0}
      {...(blocked > 0 && {
        typed: { label: draftTexts.typeBlocked(String(blocked)), word: String(blocked) },
      })}
      onConfirm={() => publish()}
      explain={(error) => {
        const approvals = approvalRequired(error);
        return (
          approvals && (
            <NeedsApproval
              approvals={approvals}
              hint={draftTexts.approveHint}
              isBusy={bypassing.isPending}
              error={bypassing.error}
              onBreakGlass={bypassing.mutate}
            />
          )
        );
      }}
    >
      {children}
      {asked.size > 0 &&
        draft.variants.map(
          ({ locale, document }) =>
            document && (
              <section key={locale}>
                <h3>{languageName(locale, tag)}</h3>
                <Findings document={document} />
              </section>
            ),
        )}
      {asked.has("unreadable_document") && (
        <ReasonField obstacle="unreadable_document" value={unreadable} onChange={setUnreadable} />
      )}
      {asked.has("active_content") && (
        <ReasonField obstacle="active_content" value={active} onChange={setActive} />
      )}
      <p className="note">{draftTexts.publishText}</p>
    </Confirm>
  );
}
