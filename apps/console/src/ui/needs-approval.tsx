import { Button } from "@musette/react/ui";
import { useState } from "react";
import type { Approvals } from "../api/approval-required";
import { useMay } from "../api/use-may";
import { useLanguage } from "../language/language-context";
import bannerStyles from "./banner.module.css";
import { Field } from "./field";
import { FailureText } from "./states";

interface NeedsApprovalProps {
  readonly approvals: Approvals;
  /** What the person can do instead. */
  readonly hint: string;
  readonly isBusy: boolean;
  /** Why bypassing the approvals failed. */
  readonly error: unknown;
  /** Applies the change at once, with a reason that all colleagues can read. Only for admins. */
  readonly onBreakGlass: (reason: string) => void;
}

/** Explains that a change needs approvals, and offers admins to bypass them. */
export function NeedsApproval({
  approvals,
  hint,
  isBusy,
  error,
  onBreakGlass,
}: NeedsApprovalProps) {
  const { texts, language } = useLanguage();
  const may = useMay();
  const [reason, setReason] = useState("");
  const approvalTexts = texts.approval;
  const count = (value: number) => value.toLocaleString(language.tag);
  return (
    <>
      <div className={bannerStyles.banner} role="alert">
        <p>{approvalTexts.needed(count(approvals.given), count(approvals.needed))}</p>
        <p>{hint}</p>
      </div>
      {may("company") && (
        <details>
          <summary>{approvalTexts.breakGlass}</summary>
          <p className="note">{approvalTexts.breakGlassHint}</p>
          <Field
            label={approvalTexts.reason}
            required={false}
            maxLength={200}
            autoComplete="off"
            value={reason}
            onChange={setReason}
          />
          {error != null && <FailureText error={error} />}
          <Button
            kind="danger"
            loading={isBusy}
            disabled={!reason.trim()}
            onClick={() => onBreakGlass(reason.trim())}
          >
            {approvalTexts.breakGlass}
          </Button>
        </details>
      )}
    </>
  );
}
