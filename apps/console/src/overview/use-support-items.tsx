import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AttentionItem } from "./attention";
import { settingsQuery } from "./home-queries";
import styles from "./overview.module.css";
import { useOverviewTexts } from "./texts/texts";

/** Codes that did not reach their riders. */
export function useSupportItems(enabled: boolean): readonly AttentionItem[] {
  const texts = useOverviewTexts();
  const failed = useQuery({ ...settingsQuery, enabled }).data?.delivery.last_24_hours?.failed ?? 0;
  if (failed === 0) return [];
  const link = (
    <Link to="/settings/sign-in" className={styles.toOne}>
      {texts.codes(failed)}
    </Link>
  );
  return [{ id: "codes", link, tone: "bad" }];
}
