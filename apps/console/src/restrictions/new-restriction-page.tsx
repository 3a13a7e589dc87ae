import { newIdempotencyKey } from "@musette/client/terms";
import { Button } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/use-may";
import { problemCode } from "../evaluations/problem-text";
import { useLanguage } from "../language/language-context";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { Page } from "../ui/page";
import pageStyles from "../ui/page.module.css";
import { bodyOf, emptyForm, missing, type RestrictionForm } from "./form";
import { FormFields } from "./form-fields";
import { Preview } from "./preview";
import { RestrictionProblem } from "./restriction-problem";
import styles from "./restrictions.module.css";
import { imposeRestriction, proposeRestriction, refreshRestrictions } from "./restrictions-queries";
import { useRestrictionsTexts } from "./texts/texts";

/** Imposes or proposes a restriction. The message is shown as the rider reads it before it is sent. */
export function NewRestrictionPage() {
  const texts = useRestrictionsTexts();
  const may = useMay();
  const isReviewer = may("review");
  const title = isReviewer ? texts.impose : texts.propose;
  return (
    <Page title={title} intro={texts.newIntro}>
      <Link to="/restrictions" className={styles.back}>
        {texts.back}
      </Link>
      {isReviewer || may("evaluate") ? (
        <NewForm isReviewer={isReviewer} />
      ) : (
        <p className="card calm">{texts.notAllowed}</p>
      )}
    </Page>
  );
}

function NewForm({ isReviewer }: { readonly isReviewer: boolean }) {
  const texts = useRestrictionsTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { tag } = useLanguage().language;
  const { user = "" } = useSearch({ from: "/inside/restrictions/new" });
  const [form, setForm] = useState<RestrictionForm>(() => emptyForm(user, tag));
  const [isChecked, setChecked] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [needsApproval, setNeedsApproval] = useState(!isReviewer);
  // Another content is another request.
  const [key, setKey] = useState(newIdempotencyKey);
  const errors = missing(form);
  const body = bodyOf(form);
  const sending = useMutation({
    mutationFn: () => (needsApproval ? proposeRestriction : imposeRestriction)(body, key),
    onSuccess: async ({ id }) => {
      toasts.say(needsApproval ? texts.proposed : texts.imposed);
      await refreshRestrictions(client);
      void navigate({ to: "/restrictions/$restrictionId", params: { restrictionId: id } });
    },
    onError: (error) => {
      if (problemCode(error) !== "approval_required") return;
      setNeedsApproval(true);
      setKey(newIdempotencyKey());
    },
  });
  const action = needsApproval ? texts.propose : texts.impose;
  return (
    <>
      <form
        className={`card ${styles.section}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (errors.length === 0) setAsking(true);
          else event.currentTarget.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
        }}
      >
        <FormFields
          form={form}
          errors={isChecked ? errors : []}
          onChange={(next) => {
            setForm(next);
            setKey(newIdempotencyKey());
          }}
        />
        <div className={pageStyles.actions}>
          <Button type="submit">{texts.preview}</Button>
        </div>
      </form>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={texts.previewTitle}
        action={action}
        isDangerous={!needsApproval}
        explain={(error) => <RestrictionProblem error={error} />}
        onConfirm={() => sending.mutateAsync()}
      >
        {needsApproval && <p>{isReviewer ? texts.approvalNeeded : texts.proposalHint}</p>}
        {Object.keys(body.statement ?? {}).map((locale) => (
          <Preview key={locale} content={body} locale={locale} />
        ))}
      </Confirm>
    </>
  );
}
