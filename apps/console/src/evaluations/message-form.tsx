import { newIdempotencyKey } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toasts } from "../toast/toasts";
import { TextArea } from "../ui/text-area";
import styles from "./evaluations.module.css";
import { refreshEvaluations, sendMessage } from "./evaluations-queries";
import { ProblemText } from "./problem-text";
import { useEvaluationsTexts } from "./texts/texts";

/** Writes to the rider without answering, for example to ask for details. */
export function MessageForm({ id }: { readonly id: string }) {
  const texts = useEvaluationsTexts();
  const client = useQueryClient();
  const [message, setMessage] = useState("");
  const [key, setKey] = useState(newIdempotencyKey);
  const sending = useMutation({
    mutationFn: () => sendMessage({ id, key }, message.trim()),
    onSuccess: async () => {
      setMessage("");
      setKey(newIdempotencyKey());
      toasts.say(texts.messageSent);
      await refreshEvaluations(client);
    },
  });
  return (
    <details className={`card ${styles.fold}`}>
      <summary>{texts.askRider}</summary>
      <form
        className={styles.section}
        onSubmit={(event) => {
          event.preventDefault();
          if (message.trim() && !sending.isPending) sending.mutate();
        }}
      >
        <TextArea
          label={texts.message}
          hint={texts.askHint}
          value={message}
          onChange={(text) => {
            setMessage(text);
            // Another text is another message.
            setKey(newIdempotencyKey());
          }}
        />
        <ProblemText error={sending.error} />
        <Button type="submit" kind="secondary" className={styles.start} loading={sending.isPending}>
          {texts.sendMessage}
        </Button>
      </form>
    </details>
  );
}
