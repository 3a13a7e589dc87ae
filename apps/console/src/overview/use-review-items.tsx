import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AttentionItem } from "./attention";
import { openDiscussionsQuery, openReviewsQuery } from "./home-queries";
import styles from "./overview.module.css";
import { countDue, type DueCount } from "./review-counts";
import { useOverviewTexts } from "./texts/texts";

/** Discussions and reviews that wait for an answer, the overdue ones first. */
export function useReviewItems(enabled: boolean): readonly AttentionItem[] {
  const discussions = useQuery({ ...openDiscussionsQuery, enabled }).data;
  const reviews = useQuery({ ...openReviewsQuery, enabled }).data;
  const texts = useOverviewTexts();
  const now = new Date();
  const counts = countDue(discussions?.items.map((one) => one.answer_due) ?? [], now);
  const ofReviews = countDue(reviews?.items.map(({ review }) => review?.answer_due) ?? [], now);
  const items = [
    ...discussionItems(counts, Boolean(discussions?.next), texts),
    reviewItem(ofReviews, Boolean(reviews?.next), texts),
  ];
  return items.filter((item) => item !== undefined);
}

type Texts = ReturnType<typeof useOverviewTexts>;

/** Marks the count of a list that has more pages. */
const atLeast = (isMore: boolean, text: string) => (isMore ? `≥ ${text}` : text);

function discussionItems(
  { overdue, soon, open }: DueCount,
  isMore: boolean,
  texts: Texts,
): readonly (AttentionItem | undefined)[] {
  const item = (
    id: string,
    count: number,
    text: string,
    due: "overdue" | "soon" | undefined,
    tone?: AttentionItem["tone"],
  ) =>
    count === 0
      ? undefined
      : {
          id,
          ...(tone && { tone }),
          link: (
            <Link to="/evaluations" search={due ? { due } : {}} className={styles.toOne}>
              {text}
            </Link>
          ),
        };
  // The list is in the order of the due date, so a further page has only later ones.
  return [
    item("discussions-overdue", overdue, texts.overdue(overdue), "overdue", "bad"),
    item("discussions-soon", soon, texts.dueSoon(soon), "soon", "warning"),
    item("discussions-open", open, atLeast(isMore, texts.discussions(open)), undefined),
  ];
}

function reviewItem(
  { overdue, soon, open }: DueCount,
  isMore: boolean,
  texts: Texts,
): AttentionItem | undefined {
  if (open === 0) return undefined;
  const tone = overdue > 0 ? "bad" : soon > 0 ? "warning" : undefined;
  const link = (
    <Link to="/restrictions" search={{}} className={styles.toOne}>
      {atLeast(isMore, texts.reviews(open))}
    </Link>
  );
  return { id: "reviews", link, ...(tone && { tone }) };
}
