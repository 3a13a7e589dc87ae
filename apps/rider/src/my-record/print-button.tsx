import { Button } from "@musette/react/ui";
import { useCallback, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { FailureText } from "../loading/states";
import { fetchRestrictions } from "../restrictions/restriction";
import type { Evaluation } from "../work-record/evaluation";
import { fetchEvaluations } from "../work-record/evaluation-calls";
import { PrintRecord, type WholeRecord } from "./print-record";

/** The largest page of the list. */
const ALL_SIZE = 200;

/** A button that prints the whole record, or saves it as a PDF. */
export function PrintButton({ userId }: { readonly userId: string }) {
  const { texts } = usePageLanguage();
  const [record, setRecord] = useState<WholeRecord>();
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>();
  const remove = useCallback(() => setRecord(undefined), []);

  async function load(): Promise<void> {
    setLoading(true);
    setError(undefined);
    // Without it, a second tap would not print again: some browsers do not report the end.
    remove();
    try {
      const [evaluations, restrictions] = await Promise.all([
        fetchAll(userId),
        fetchRestrictions(userId),
      ]);
      setRecord({ evaluations, restrictions, at: new Date() });
    } catch (failure) {
      setError(failure);
    } finally {
      setLoading(false);
    }
  }

  return (
    <>
      {error !== undefined && <FailureText error={error} />}
      <Button kind="secondary" loading={loading} onClick={load}>
        {texts.work.print}
      </Button>
      {record && <PrintRecord userId={userId} record={record} onPrinted={remove} />}
    </>
  );
}

async function fetchAll(userId: string): Promise<readonly Evaluation[]> {
  const all: Evaluation[] = [];
  let after: string | undefined;
  do {
    const page = await fetchEvaluations(userId, after, ALL_SIZE);
    all.push(...page.items);
    after = page.next ?? undefined;
  } while (after);
  return all;
}
