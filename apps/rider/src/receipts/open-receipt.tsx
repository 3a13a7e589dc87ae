import { Button } from "@musette/react/ui";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { numberIn, receiptHref } from "../router/receipt-address";
import { navigate } from "../router/router";

/** Opens a receipt on any phone: the number is typed or pasted, alone or within a link. */
export function OpenReceipt({ typed: before = "" }: { readonly typed?: string }) {
  const { texts } = usePageLanguage();
  const openTexts = texts.receipt.open;
  const [typed, setTyped] = useState(before);
  const [unusable, setUnusable] = useState(before !== "");
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const number = numberIn(typed);
    setUnusable(number === undefined);
    if (number) navigate(receiptHref(number));
    else input.current?.focus();
  }

  return (
    <form className="sign-in-form" noValidate onSubmit={submit}>
      <h1>{openTexts.title}</h1>
      <p>{openTexts.text}</p>
      <div className="field">
        <label htmlFor={id}>{texts.receipt.id}</label>
        <input
          ref={input}
          id={id}
          dir="ltr"
          // The number alone allows to withdraw and to claim, so autofill must not offer it to the
          // next person.
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={400}
          value={typed}
          aria-invalid={unusable || undefined}
          aria-describedby={unusable ? `${id}-error` : undefined}
          onChange={(event) => {
            setUnusable(false);
            setTyped(event.target.value);
          }}
        />
        {unusable && (
          <p id={`${id}-error`} className="failure" role="alert">
            {openTexts.unusable}
          </p>
        )}
      </div>
      <Button kind="primary" type="submit">
        {openTexts.action}
      </Button>
      <p className="note">{openTexts.code}</p>
    </form>
  );
}
