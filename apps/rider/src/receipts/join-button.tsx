import { Button } from "@musette/react/ui";
import { useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { waitingAttempts } from "../terms/decide";
import { sendWaiting } from "../terms/outbox";
import { applicantReceipts, removeApplication } from "../terms/stored-receipts";
import { termsClient } from "../terms/terms-client";
import { receiptErrorText } from "./receipt-error";

/** Claims an applicant's receipt for the signed-in account. It is safe to call this again. */
export function JoinButton(props: {
  readonly id: string;
  readonly userId: string;
  readonly onJoined: () => void;
  readonly onFailed?: () => void;
}) {
  const { language, texts } = usePageLanguage();
  const { id, userId } = props;
  const [joining, setJoining] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function join(): Promise<void> {
    setJoining(true);
    setFailure(undefined);
    try {
      // After the claim, the number alone can no longer submit: a waiting submission would never be
      // recorded.
      const waiting = await waitingAttempts({ userId: undefined, receiptId: id });
      await sendWaiting(waiting, termsClient(language.tag, undefined).submitConsents, () => {});
      await termsClient(language.tag, userId).claimReceipt(id);
      // The account has the receipt from now on. The next person on this phone must not be offered
      // it.
      const stored = applicantReceipts().find((receipt) => receipt.id === id);
      if (stored) removeApplication(stored.root);
      props.onJoined();
    } catch (error) {
      setFailure(error);
      props.onFailed?.();
    } finally {
      setJoining(false);
    }
  }

  return (
    <>
      {failure !== undefined && (
        <p className="failure" role="alert">
          {receiptErrorText(texts, failure, userId)}
        </p>
      )}
      <Button kind="primary" loading={joining} onClick={join}>
        {texts.join.action}
      </Button>
    </>
  );
}
