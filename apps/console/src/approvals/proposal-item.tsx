import { Button } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { rulesQuery } from "../api/approval-rules";
import { EVERYWHERE } from "../api/grants";
import { usePersonNames } from "../api/person-names";
import {
  applyProposal,
  approveProposal,
  cancelProposal,
  type Proposal,
  proposalsQuery,
  sendBackProposal,
  withdrawProposalApproval,
} from "../api/proposals";
import { useMay } from "../api/use-may";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { useMoment } from "../language/use-moment";
import { termQuery } from "../terms/terms-query";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { FailureText } from "../ui/states";
import { ApprovalActions } from "./approval-actions";
import styles from "./approvals.module.css";
import { Progress, ProgressChip, useOwnInvolvement } from "./progress";
import { ProposalFacts } from "./proposal-facts";
import { isSettled } from "./settled";
import { useApprovalsTexts } from "./texts/texts";

/** A proposed action on published terms, or weaker approval rules, with what it would change. */
export function ProposalItem({ proposal }: { readonly proposal: Proposal }) {
  const texts = useApprovalsTexts();
  const { tag } = useLanguage().language;
  const moment = useMoment();
  const nameOf = usePersonNames(proposal.author ? [proposal.author] : []);
  const { act, term_id: id, type } = proposal;
  const term = useQuery({ ...termQuery(String(id)), enabled: id !== undefined }).data;
  const about = (term && inLanguage(term.variants, tag)?.title) ?? type ?? "";
  const title = texts.acts[act](about);
  return (
    <>
      <div className={styles.head}>
        <h3>{title}</h3>
        <ProgressChip of={proposal} />
      </div>
      <p className="note">
        {proposal.author &&
          `${texts.proposedBy(nameOf(proposal.author), moment(proposal.created_at))} · `}
        {texts.atOnce}
      </p>
      <ProposalFacts proposal={proposal} term={term} />
      <Progress of={proposal} />
      {id !== undefined && (
        <Link to="/terms/$termId" params={{ termId: String(id) }}>
          {texts.openTerm}
        </Link>
      )}
      <ProposalActions proposal={proposal} title={title} />
    </>
  );
}

function ProposalActions(props: { readonly proposal: Proposal; readonly title: string }) {
  const { proposal, title } = props;
  const texts = useApprovalsTexts();
  const client = useQueryClient();
  const may = useMay();
  const own = useOwnInvolvement(proposal, proposal.author);
  const [isDiscarding, setDiscarding] = useState(false);
  const changed = () =>
    Promise.all(
      [proposalsQuery.queryKey, rulesQuery.queryKey, ["terms"], ["overview"]].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
  const applying = useMutation({
    mutationFn: async () => {
      // A change that others saved meanwhile may have refused it.
      const { status } = await applyProposal(proposal);
      toasts.say(status === "refused" ? texts.refused : texts.applied);
    },
    onError: (error) => {
      if (isSettled(error)) toasts.say(texts.meanwhile);
    },
    onSettled: changed,
  });
  const isOfRules = proposal.subject === "rules";
  // A person who may approve weaker rules for flags may not be allowed to manage terms. The server
  // decides.
  const scope = proposal.market ?? EVERYWHERE;
  const mayDecide = may("terms", scope) || (isOfRules && may("flags", EVERYWHERE));
  const mayApply = isOfRules ? may("company") : mayDecide;
  if (!mayDecide) return null;
  const isReady = proposal.approvals.length >= proposal.approvals_needed;
  return (
    <>
      {applying.isError && !isSettled(applying.error) && <FailureText error={applying.error} />}
      <ApprovalActions
        title={title}
        {...own}
        isReady={isReady}
        onApprove={() => approveProposal(proposal)}
        onTakeBack={() => withdrawProposalApproval(proposal)}
        onSendBack={(comment) => sendBackProposal(proposal, comment)}
        onDone={changed}
      >
        {isReady && mayApply && (
          <Button loading={applying.isPending} onClick={() => applying.mutate()}>
            {texts.apply}
          </Button>
        )}
        {mayApply && (
          <Button kind="secondary" onClick={() => setDiscarding(true)}>
            {texts.discard}…
          </Button>
        )}
      </ApprovalActions>
      <Confirm
        open={isDiscarding}
        onClose={() => setDiscarding(false)}
        title={texts.discardTitle(title)}
        action={texts.discard}
        isDangerous
        onConfirm={async () => {
          await cancelProposal(proposal);
          toasts.say(texts.discarded);
          await changed();
        }}
      >
        <p>{texts.discardText}</p>
      </Confirm>
    </>
  );
}
