import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import type { Draft } from "../terms/draft/draft";
import { DraftDifference } from "../terms/draft/draft-difference";
import { draftsQuery, termQuery } from "../terms/terms-query";
import { useTermsTexts } from "../terms/texts/texts";
import { ForRoles } from "../ui/for-roles";
import { ApprovalActions } from "./approval-actions";
import styles from "./approvals.module.css";
import { approveDraft, sendBackDraft, withdrawDraftApproval } from "./approvals-queries";
import { DraftFacts } from "./draft-facts";
import { Progress, ProgressChip, useOwnInvolvement } from "./progress";
import { useApprovalsTexts } from "./texts/texts";

/**
 * A draft of a term with everything that its approval covers: the fields, the documents, and the
 * text difference.
 */
export function DraftItem({ draft }: { readonly draft: Draft }) {
  const texts = useApprovalsTexts();
  const terms = useTermsTexts();
  const client = useQueryClient();
  const { tag } = useLanguage().language;
  const former = useQuery({
    ...termQuery(String(draft.replaces)),
    enabled: draft.replaces !== undefined,
  }).data;
  const own = useOwnInvolvement(draft, draft.updated_by);
  const title =
    inLanguage(draft.variants, tag)?.title ||
    (former && inLanguage(former.variants, tag)?.title) ||
    terms.untitled;
  return (
    <>
      <div className={styles.head}>
        <h3>
          <bdi>{title}</bdi>
        </h3>
        <ProgressChip of={draft} />
      </div>
      <DraftFacts draft={draft} former={former} />
      <Progress of={draft} editor={draft.updated_by} />
      <DraftDifference body={draft} former={former} />
      <Link to="/terms/drafts/$draftId" params={{ draftId: draft.id }}>
        {texts.openDraft}
      </Link>
      <ForRoles task="terms" scope={draft.market}>
        <ApprovalActions
          title={title}
          {...own}
          onApprove={() => approveDraft(draft.id, draft.sha256)}
          onTakeBack={() => withdrawDraftApproval(draft.id)}
          onSendBack={(comment) => sendBackDraft(draft.id, comment)}
          onDone={() => client.invalidateQueries({ queryKey: draftsQuery.queryKey })}
        />
      </ForRoles>
    </>
  );
}
