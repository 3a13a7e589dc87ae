import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { approvalRequired } from "../api/approval-required";
import { type ProposedAct, proposalsQuery, propose } from "../api/proposals";
import { useLanguage } from "../language/language-context";
import { NeedsApproval } from "./needs-approval";
import { FailureText } from "./states";

interface ProposeInsteadProps {
  /** The error of the refused action. */
  readonly error: unknown;
  readonly act: ProposedAct;
  readonly onProposed: () => unknown;
  /** Does the action at once, with a reason that all colleagues can read. Only for admins. */
  readonly onBreakGlass: (reason: string) => Promise<unknown>;
}

/**
 * For an action that needs approvals: proposes it, or lets an admin bypass them. Shows nothing for
 * other errors.
 */
export function ProposeInstead({ error, act, onProposed, onBreakGlass }: ProposeInsteadProps) {
  const approvalTexts = useLanguage().texts.approval;
  const client = useQueryClient();
  const proposing = useMutation({
    mutationFn: () => propose(act),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: proposalsQuery.queryKey });
      onProposed();
    },
  });
  const bypassing = useMutation({ mutationFn: onBreakGlass });
  const approvals = approvalRequired(error);
  if (!approvals) return null;
  return (
    <>
      <NeedsApproval
        approvals={approvals}
        hint={approvalTexts.proposeHint}
        isBusy={bypassing.isPending}
        error={bypassing.error}
        onBreakGlass={bypassing.mutate}
      />
      {proposing.isError && <FailureText error={proposing.error} />}
      <div>
        <Button loading={proposing.isPending} onClick={() => proposing.mutate()}>
          {approvalTexts.propose}
        </Button>
      </div>
    </>
  );
}
