import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./flag.module.css";

/** Names of pages under `/flags`. A flag with such a key has a longer address. */
const PAGES = new Set(["segments", "history", "planned", "stale", "json", "key"]);

export const flagAddress = (key: string) =>
  PAGES.has(key) ? ("/flags/key/$key" as const) : ("/flags/$key" as const);

export function FlagLink(props: { readonly flag: string; readonly children?: ReactNode }) {
  const { flag, children } = props;
  return (
    <Link
      to={flagAddress(flag)}
      params={{ key: flag }}
      className={styles.flagLink}
      data-flag={flag}
    >
      {children ?? <bdi>{flag}</bdi>}
    </Link>
  );
}
