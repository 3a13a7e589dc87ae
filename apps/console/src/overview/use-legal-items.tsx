import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "../api/me";
import { useMay } from "../api/use-may";
import { dayOf } from "../language/days";
import { inLanguage } from "../language/in-language";
import { useLanguage } from "../language/language-context";
import { useDay } from "../language/use-day";
import { draftsQuery, termsQuery } from "../terms/terms-query";
import type { AttentionItem } from "./attention";
import { daysAgo, withdrawalsQuery } from "./home-queries";
import styles from "./overview.module.css";
import { useOverviewTexts } from "./texts/texts";

const AHEAD_MS = 14 * 86_400_000;

/** The reader's drafts, versions that take effect in the next 14 days, and recent withdrawals. */
export function useLegalItems(enabled: boolean): readonly AttentionItem[] {
  const texts = useOverviewTexts();
  const { tag } = useLanguage().language;
  const day = useDay();
  const may = useMay();
  const me = useQuery(meQuery).data?.user_id;
  const drafts = useInfiniteQuery({ ...draftsQuery, enabled });
  const scheduled = useInfiniteQuery({ ...termsQuery({ status: "scheduled" }), enabled });
  const seesDecisions = enabled && may("personal");
  const withdrawals = useQuery({ ...withdrawalsQuery(daysAgo(7)), enabled: seesDecisions });
  const ownDrafts = (drafts.data?.pages[0]?.items ?? []).filter(({ updated_by: by }) => by === me);
  const soon = (scheduled.data?.pages[0]?.items ?? []).filter(
    ({ mandatory, effective_from: from }) => mandatory && Date.parse(from) < Date.now() + AHEAD_MS,
  );
  const withdrawn = withdrawals.data?.items.length ?? 0;
  return [
    ...soon.map(({ id, variants, effective_from: from }) => ({
      id: `scheduled ${id}`,
      tone: "warning" as const,
      link: (
        <Link to="/terms/$termId/coverage" params={{ termId: String(id) }} className={styles.toOne}>
          {texts.scheduled(inLanguage(variants, tag)?.title ?? texts.untitled, day(from))}
        </Link>
      ),
    })),
    ...(withdrawn > 0
      ? [
          {
            id: "withdrawals",
            link: (
              <Link
                to="/consents"
                search={{ decision: "withdrawn", since: dayOf(new Date(daysAgo(7))) }}
                className={styles.toOne}
              >
                {texts.withdrawals(withdrawn)}
              </Link>
            ),
          },
        ]
      : []),
    ...ownDrafts.slice(0, 5).map(({ id, variants }) => ({
      id: `draft ${id}`,
      link: (
        <Link to="/terms/drafts/$draftId" params={{ draftId: id }} className={styles.toOne}>
          {texts.draft(inLanguage(variants, tag)?.title || texts.untitled)}
        </Link>
      ),
    })),
  ];
}
