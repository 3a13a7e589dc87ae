import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Confirm } from "../../confirm/confirm";
import { toasts } from "../../toast/toasts";
import { useTermsTexts } from "../texts/texts";
import type { Draft } from "./draft";
import { publishDraft, wasChanged } from "./draft-calls";
import type { DraftKeeper } from "./draft-keeper";
import { forgetDraft } from "./use-draft";

interface PublishDraftProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly draft: Draft;
  readonly keeper: DraftKeeper;
  readonly title: string;
  readonly children: ReactNode;
}

export function PublishDraft(props: PublishDraftProps) {
  const words = useTermsTexts().draft;
  const navigate = useNavigate();
  const client = useQueryClient();
  const { open, onClose, draft, keeper, title, children } = props;
  const publish = async () => {
    const { id } = await publishDraft(draft).catch(async (error: unknown) => {
      if (wasChanged(error)) await keeper.reread();
      throw error;
    });
    keeper.close();
    forgetDraft(draft.id);
    toasts.say(words.published(title));
    await navigate({ to: "/terms/$termId", params: { termId: String(id) }, replace: true });
    void client.invalidateQueries({ queryKey: ["terms"] });
    void client.invalidateQueries({ queryKey: ["overview"] });
  };
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={words.publishTitle(title)}
      action={words.publish}
      onConfirm={publish}
    >
      {children}
      <p className="note">{words.publishText}</p>
    </Confirm>
  );
}
