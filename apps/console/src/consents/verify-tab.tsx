import { receiptNumber } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useState } from "react";
import dialogStyles from "../ui/dialog.module.css";
import { Field } from "../ui/field";
import { Skeleton } from "../ui/skeleton";
import { FailureText } from "../ui/states";
import { receiptNumberIn, type Verdict } from "./check";
import styles from "./consents.module.css";
import { ReceiptDrop } from "./receipt-drop";
import { ReceiptFiles } from "./receipt-files";
import { useConsentsTexts } from "./texts/texts";
import { VerdictView } from "./verdict";
import { receiptText, verify } from "./verify-calls";

/** Verifies a receipt in this browser, using only public keys. */
export function VerifyTab() {
  const texts = useConsentsTexts();
  const { receipt, user } = useSearch({ from: "/inside/consents/verify" });
  // Browsers offer hash functions only on a secure page.
  if (!isSecureContext) return <p className="failure">{texts.unsupported}</p>;
  // Another receipt creates a new page, without the state of the former one.
  return <Verify key={`${receipt} ${user}`} receipt={receipt} user={user} />;
}

interface CheckedReceipt {
  readonly text: string;
  readonly name?: string;
  readonly verdict: Verdict;
}

interface VerifyProps {
  readonly receipt: string | undefined;
  readonly user: string | undefined;
}

function Verify({ receipt, user }: VerifyProps) {
  const texts = useConsentsTexts();
  const navigate = useNavigate();
  const [userId, setUserId] = useState(user ?? "");
  // Remains while the person is checked, so that the field for it remains as well.
  const [checked, setChecked] = useState<CheckedReceipt>();
  const checking = useMutation({
    mutationFn: async (given: { readonly text?: string; readonly name?: string }) => {
      const text = given.text ?? (await receiptText(receipt ?? ""));
      return { ...given, text, verdict: await verify(text, userId.trim() || undefined) };
    },
    onSuccess: setChecked,
  });
  const { mutate } = checking;
  useEffect(() => {
    if (receipt) mutate({});
  }, [receipt, mutate]);

  /** The number of a stored receipt opens it; any other text is verified as a receipt. */
  const openOrVerify = (text: string) => {
    const number = receiptNumber(text);
    if (number) void navigate({ to: "/consents/verify", search: { receipt: number } });
    else mutate({ text });
  };
  const again = () => {
    setChecked(undefined);
    if (receipt) void navigate({ to: "/consents/verify", search: {} });
  };

  if (checked) {
    const { verdict, name, text } = checked;
    return (
      <>
        {receipt && <ReceiptFiles id={receipt} />}
        <VerdictView verdict={verdict} name={name} receipt={receiptNumberIn(text) ?? receipt} />
        {checking.isError && <FailureText error={checking.error} />}
        <PersonCheck
          userId={userId}
          onChange={setUserId}
          onCheck={() => mutate({ text, ...(name && { name }) })}
        />
        <div className={`${dialogStyles.buttons} ${styles.verifyAgain}`}>
          <Button kind="secondary" onClick={again}>
            {texts.verifyAnother}
          </Button>
        </div>
      </>
    );
  }
  if (checking.isPending) return <Skeleton rows={6} />;
  return (
    <>
      <p>{texts.verifyIntro}</p>
      {checking.isError && <FailureText error={checking.error} />}
      <ReceiptDrop onText={(text, name) => mutate({ text, name })} />
      <Paste onText={(text) => openOrVerify(text)} />
    </>
  );
}

function Paste({ onText }: { readonly onText: (text: string) => void }) {
  const texts = useConsentsTexts();
  const id = useId();
  const [pasted, setPasted] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onText(pasted);
  };
  return (
    <form className={`card ${styles.paste}`} onSubmit={submit}>
      <label htmlFor={id}>{texts.paste}</label>
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
      <div className={dialogStyles.buttons}>
        <Button type="submit" disabled={!pasted.trim()}>
          {texts.check}
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

/** A receipt contains no name, but it can be checked against a user id. */
function PersonCheck({ userId, onChange, onCheck }: PersonCheckProps) {
  const texts = useConsentsTexts();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCheck();
  };
  return (
    <form className={`card ${styles.personCheck}`} onSubmit={submit}>
      <Field
        label={texts.whose}
        hint={texts.whoseHint}
        required={false}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={userId}
        onChange={onChange}
      />
      <Button type="submit" kind="secondary" disabled={!userId.trim()}>
        {texts.checkPerson}
      </Button>
    </form>
  );
}
