import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useState } from "react";
import { Field } from "../shell/field";
import { Skeleton } from "../shell/skeleton";
import { FailureText } from "../shell/states";
import { Drop } from "./drop";
import { ReceiptFiles } from "./receipt-files";
import { useConsentsTexts } from "./texts/texts";
import { VerdictShown } from "./verdict";
import { receiptText, verify } from "./verify-calls";

/** Whether a receipt is what it says, checked here with public keys and nothing else. */
export function VerifyTab() {
  const words = useConsentsTexts();
  const { receipt } = useSearch({ from: "/inside/consents/verify" });
  // Browsers compute hashes only for pages that came by a safe way.
  if (!isSecureContext) return <p className="failure">{words.unsupported}</p>;
  // Another receipt is another page, with nothing left of the one before.
  return <Verify key={receipt ?? ""} receipt={receipt} />;
}

function Verify({ receipt }: { readonly receipt: string | undefined }) {
  const words = useConsentsTexts();
  const navigate = useNavigate();
  const [userId, setUserId] = useState("");
  const checking = useMutation({
    mutationFn: async (held: { readonly text?: string; readonly name?: string }) => {
      const text = held.text ?? (await receiptText(receipt ?? ""));
      return { ...held, text, verdict: await verify(text, userId.trim() || undefined) };
    },
  });
  const { mutate } = checking;
  useEffect(() => {
    if (receipt) mutate({});
  }, [receipt, mutate]);

  const again = () => {
    checking.reset();
    if (receipt) void navigate({ to: "/consents/verify", search: {} });
  };

  if (checking.isPending) return <Skeleton rows={6} />;
  if (checking.isSuccess) {
    const { verdict, name, text } = checking.data;
    return (
      <>
        {receipt && <ReceiptFiles id={receipt} />}
        <VerdictShown verdict={verdict} name={name} />
        <PersonCheck
          userId={userId}
          onChange={setUserId}
          onCheck={() => mutate({ text, ...(name && { name }) })}
        />
        <div className="buttons verify-again">
          <Button kind="secondary" onClick={again}>
            {words.verifyAnother}
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>{words.verifyIntro}</p>
      {checking.isError && <FailureText error={checking.error} />}
      <Drop onText={(text, name) => mutate({ text, name })} />
      <Paste onText={(text) => mutate({ text })} />
    </>
  );
}

function Paste({ onText }: { readonly onText: (text: string) => void }) {
  const words = useConsentsTexts();
  const id = useId();
  const [pasted, setPasted] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onText(pasted);
  };
  return (
    <form className="card paste" onSubmit={submit}>
      <label htmlFor={id}>{words.paste}</label>
      <textarea
        id={id}
        rows={4}
        dir="ltr"
        spellCheck={false}
        className="mono"
        placeholder={'{"id":"…","index":0,"entry":"…","proof":"…","subject_key":"…"}'}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      <div className="buttons">
        <Button type="submit" disabled={!pasted.trim()}>
          {words.check}
        </Button>
      </div>
    </form>
  );
}

interface PersonCheckProps {
  readonly userId: string;
  readonly onChange: (userId: string) => void;
  readonly onCheck: () => void;
}

/** A receipt names nobody; whose it is said to be can be checked. */
function PersonCheck({ userId, onChange, onCheck }: PersonCheckProps) {
  const words = useConsentsTexts();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCheck();
  };
  return (
    <form className="card person-check" onSubmit={submit}>
      <Field
        label={words.whose}
        hint={words.whoseHint}
        required={false}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={userId}
        onChange={onChange}
      />
      <Button type="submit" kind="secondary" disabled={!userId.trim()}>
        {words.checkPerson}
      </Button>
    </form>
  );
}
