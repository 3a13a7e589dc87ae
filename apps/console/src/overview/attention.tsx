import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { mayDo } from "../api/grants";
import { meQuery } from "../api/me";
import stateStyles from "../ui/state.module.css";
import styles from "./overview.module.css";
import { useOverviewTexts } from "./texts/texts";
import { useAdminItems } from "./use-admin-items";
import { useApprovalItems } from "./use-approval-items";
import { useLegalItems } from "./use-legal-items";
import { useProductItems } from "./use-product-items";
import { useReviewItems } from "./use-review-items";
import { useSupportItems } from "./use-support-items";

/** Something that waits for the reader, with a link to where it is done. */
export interface AttentionItem {
  readonly id: string;
  readonly link: ReactNode;
  readonly tone?: "warning" | "bad";
}

/**
 * What waits for the reader, by role. A list of a role that the reader does not have is not
 * requested.
 */
export function Attention() {
  const texts = useOverviewTexts();
  const roles = useQuery(meQuery).data?.roles ?? [];
  const may = (task: Parameters<typeof mayDo>[1]) => mayDo(roles, task);
  const isAdmin = may("company");
  const items = [
    ...useAdminItems(isAdmin),
    ...useApprovalItems(may("terms") || may("flags")),
    ...useLegalItems(may("terms")),
    ...useProductItems(may("flags")),
    ...useSupportItems(may("people")),
    ...useReviewItems(may("review")),
  ];
  if (!(may("terms") || may("flags") || may("people") || may("review"))) return null;
  return (
    <section className="card" aria-labelledby="attention">
      <h2 id="attention">{texts.attention}</h2>
      {items.length === 0 && <p className="note">{texts.nothing}</p>}
      <ul className={styles.attention}>
        {items.map(({ id, link, tone }) => (
          <li key={id}>
            <span className={stateStyles.state} data-state={tone ?? "none"}>
              {link}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
