import { Link } from "@tanstack/react-router";
import { useApprovalCount } from "../approvals/use-approval-count";
import type { AttentionItem } from "./attention";
import styles from "./overview.module.css";
import { useOverviewTexts } from "./texts/texts";

/** Proposals and drafts of other people that need an approval. */
export function useApprovalItems(enabled: boolean): readonly AttentionItem[] {
  const texts = useOverviewTexts();
  const count = useApprovalCount(enabled);
  if (count === 0) return [];
  const link = (
    <Link to="/approvals" className={styles.toOne}>
      {texts.approvals(count)}
    </Link>
  );
  return [{ id: "approvals", link, tone: "warning" }];
}
