import { Button } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { approvalRequired } from "../api/approval-required";
import { type ApprovalRule, rulesQuery, saveRules } from "../api/approval-rules";
import { useMay } from "../api/use-may";
import { environmentsQuery } from "../configuration/document/environment-queries";
import { useLanguage } from "../language/language-context";
import { toasts } from "../toast/toasts";
import { ChoiceField } from "../ui/choice-field";
import { Field } from "../ui/field";
import { ForRoles } from "../ui/for-roles";
import listStyles from "../ui/list.module.css";
import { ProposeInstead } from "../ui/propose-instead";
import { Skeleton } from "../ui/skeleton";
import { FailureText, LoadFailed } from "../ui/states";
import whoStyles from "../ui/who.module.css";
import styles from "./approvals.module.css";
import { inOrder, withoutRule, withRule } from "./rules";
import { useApprovalsTexts } from "./texts/texts";

/** The scopes of rules for restrictions. */
const KINDS = ["limitation", "suspension", "termination"];

/** The settings for how many approvals each kind of change needs before it takes effect. */
export function ApprovalRulesTab() {
  const may = useMay();
  if (!may("company")) return <ForRoles task="company">{null}</ForRoles>;
  return <Rules />;
}

function Rules() {
  const approvalsTexts = useApprovalsTexts();
  const { texts } = useLanguage();
  const client = useQueryClient();
  const rules = useQuery(rulesQuery);
  const saving = useMutation({
    mutationFn: (next: readonly ApprovalRule[]) => saveRules(next),
    onSuccess: () => {
      toasts.say(approvalsTexts.rulesSaved);
      return client.invalidateQueries({ queryKey: rulesQuery.queryKey });
    },
  });
  if (rules.isPending) return <Skeleton rows={4} />;
  if (rules.isError) return <LoadFailed error={rules.error} onRetry={rules.refetch} />;
  return (
    <>
      <p className="note">{approvalsTexts.rulesIntro}</p>
      {rules.data.length === 0 ? (
        <div className="card calm">
          <p>{approvalsTexts.noRules}</p>
          <p className="note">{approvalsTexts.noRulesHint}</p>
        </div>
      ) : (
        <ul className={`card ${listStyles.rows}`}>
          {inOrder(rules.data).map((rule) => (
            <Rule
              key={`${rule.subject} ${rule.scope}`}
              rule={rule}
              onRemove={() => saving.mutate(withoutRule(rules.data, rule))}
            />
          ))}
        </ul>
      )}
      {approvalRequired(saving.error) && saving.variables && (
        <ProposeInstead
          error={saving.error}
          act={{ act: "replace_rules", rules: saving.variables }}
          onProposed={() => {
            saving.reset();
            toasts.say(texts.approval.proposed);
          }}
          onBreakGlass={async (reason) => {
            await saveRules(saving.variables, reason);
            saving.reset();
            await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
          }}
        />
      )}
      {saving.isError && !approvalRequired(saving.error) && <FailureText error={saving.error} />}
      <AddRule
        isBusy={saving.isPending}
        onAdd={(rule) => saving.mutate(withRule(rules.data, rule))}
      />
    </>
  );
}

function Rule({ rule, onRemove }: { readonly rule: ApprovalRule; readonly onRemove: () => void }) {
  const texts = useApprovalsTexts();
  const { subject, scope, approvals } = rule;
  const what = `${texts.subjects[subject]}: ${scope === "*" ? texts.all : scope}`;
  return (
    <li>
      <div className={whoStyles.who}>
        <strong>
          <bdi>{what}</bdi>
        </strong>
        <span className="note">{texts.approvals(approvals)}</span>
      </div>
      <Button kind="secondary" aria-label={texts.removeThis(what)} onClick={onRemove}>
        {texts.remove}
      </Button>
    </li>
  );
}

interface AddRuleProps {
  readonly isBusy: boolean;
  readonly onAdd: (rule: ApprovalRule) => void;
}

function AddRule({ isBusy, onAdd }: AddRuleProps) {
  const texts = useApprovalsTexts();
  const { tag } = useLanguage().language;
  const [subject, setSubject] = useState<ApprovalRule["subject"]>("terms");
  const [scope, setScope] = useState("");
  const [approvals, setApprovals] = useState("1");
  const environments = useQuery(environmentsQuery).data?.map(({ name }) => name) ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd({ subject, scope: scope.trim() || "*", approvals: Number(approvals) });
  };
  return (
    <form className={`card ${styles.addRule}`} onSubmit={submit}>
      <h2>{texts.addRule}</h2>
      <div className={styles.ruleFields}>
        <ChoiceField
          label={texts.subject}
          value={subject}
          options={(["terms", "flags", "restrictions"] as const).map((value) => ({
            value,
            label: texts.subjects[value],
          }))}
          onChange={(next) => {
            setSubject(next);
            setScope("");
          }}
        />
        <Field
          label={texts.scopes[subject]}
          hint={texts.scopeHint}
          options={subject === "flags" ? environments : subject === "restrictions" ? KINDS : []}
          required={false}
          dir="ltr"
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          value={scope}
          onChange={setScope}
        />
        <ChoiceField
          label={texts.howMany}
          value={approvals}
          options={["0", "1", "2", "3"].map((value) => ({
            value,
            label: Number(value).toLocaleString(tag),
          }))}
          onChange={setApprovals}
        />
      </div>
      <Button type="submit" loading={isBusy}>
        {texts.addRule}
      </Button>
    </form>
  );
}
