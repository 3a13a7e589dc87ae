import type { ReactNode } from "react";
import { useMinute } from "../language/use-day";
import styles from "./campaigns.module.css";
import { useCampaignsTexts } from "./texts/texts";

export interface Entry {
  readonly key: string;
  /** In milliseconds since 1970; undefined if it is unknown. */
  readonly at: number | undefined;
  readonly title: ReactNode;
  /** A date of the document, between the steps. */
  readonly isMilestone?: boolean;
  readonly children?: ReactNode;
}

interface TermDates {
  readonly effective_from: string;
  readonly grace_until?: string | undefined;
}

/** The dates of the document that steps refer to. */
export function useMilestones(term: TermDates | undefined): readonly Entry[] {
  const texts = useCampaignsTexts();
  const dates = [
    { key: "effective_from", at: term?.effective_from, title: texts.takesEffect },
    { key: "grace_until", at: term?.grace_until, title: texts.graceEnds },
  ];
  return dates.flatMap(({ key, at, title }) =>
    at === undefined ? [] : [{ key, at: Date.parse(at), title, isMilestone: true }],
  );
}

/** Steps and dates in the order of their times. Those without a time come last. */
export function Timeline({ entries }: { readonly entries: readonly Entry[] }) {
  const texts = useCampaignsTexts();
  const minute = useMinute();
  const last = Number.POSITIVE_INFINITY;
  const sorted = [...entries].sort((a, b) => (a.at ?? last) - (b.at ?? last) || 0);
  return (
    <ol className={styles.timeline} aria-label={texts.timeLine}>
      {sorted.map(({ key, at, title, isMilestone, children }) => (
        <li key={key} data-milestone={isMilestone || undefined}>
          <p className="note">
            {at === undefined ? (
              texts.noTime
            ) : (
              <time dateTime={new Date(at).toISOString()}>
                {minute(new Date(at).toISOString())}
              </time>
            )}
          </p>
          <p className={styles.timelineTitle}>{title}</p>
          {children}
        </li>
      ))}
    </ol>
  );
}
