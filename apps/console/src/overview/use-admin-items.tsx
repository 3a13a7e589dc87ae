import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDay } from "../language/use-day";
import type { AttentionItem } from "./attention";
import { bypassesQuery, daysAgo, serviceKeyListQuery, webhookListQuery } from "./home-queries";
import styles from "./overview.module.css";
import { logQuery, overviewQuery } from "./overview-queries";
import { useOverviewTexts } from "./texts/texts";

const DAY_MS = 86_400_000;
const EXPIRES_SOON_MS = 14 * DAY_MS;

/** Backup, log verification, webhooks, service keys and bypassed approvals. */
export function useAdminItems(enabled: boolean): readonly AttentionItem[] {
  return [...useServerItems(enabled), ...useAccessItems(enabled)];
}

function useServerItems(enabled: boolean): readonly AttentionItem[] {
  const texts = useOverviewTexts();
  const overview = useQuery({ ...overviewQuery, enabled }).data;
  const log = useQuery({ ...logQuery, enabled }).data;
  if (!enabled) return [];
  const isOld = (at: string | undefined) => !at || Date.now() - Date.parse(at) > DAY_MS;
  const backup = overview?.first_steps.last_backup_at;
  const items: AttentionItem[] = [];
  if (overview && isOld(backup)) {
    const link = (
      <Link to="/settings/about" className={styles.toOne}>
        {backup ? texts.oldBackup : texts.noBackup}
      </Link>
    );
    items.push({ id: "backup", tone: "warning", link });
  }
  const errors = log?.verified?.faults ?? 0;
  if (log && log.size > 0 && (errors > 0 || isOld(log.verified?.at))) {
    const link = (
      <Link to="/consents/log" className={styles.toOne}>
        {errors > 0 ? texts.logErrors : texts.notVerified}
      </Link>
    );
    items.push({ id: "log", tone: errors > 0 ? "bad" : "warning", link });
  }
  return items;
}

function useAccessItems(enabled: boolean): readonly AttentionItem[] {
  const texts = useOverviewTexts();
  const day = useDay();
  const webhooks = useQuery({ ...webhookListQuery, enabled }).data?.items ?? [];
  const keys = useQuery({ ...serviceKeyListQuery, enabled }).data?.items ?? [];
  const bypasses = useQuery({ ...bypassesQuery(daysAgo(30)), enabled }).data?.items.length ?? 0;
  const isExpiring = ({ expires_at: at, revoked_at: revoked }: (typeof keys)[number]) =>
    !revoked && at && Date.parse(at) - Date.now() < EXPIRES_SOON_MS;
  return [
    ...webhooks
      .filter(({ disabled_because: because }) => because)
      .map(({ id, url }) => ({
        id: `webhook ${id}`,
        tone: "bad" as const,
        link: (
          <Link
            to="/settings/webhooks/$webhookId"
            params={{ webhookId: id }}
            className={styles.toOne}
          >
            {texts.webhook(url)}
          </Link>
        ),
      })),
    ...keys.filter(isExpiring).map(({ id, name, expires_at: at = "" }) => ({
      id: `key ${id}`,
      tone: "warning" as const,
      link: (
        <Link to="/settings/service-keys" className={styles.toOne}>
          {texts.serviceKey(name, day(at))}
        </Link>
      ),
    })),
    ...(bypasses > 0
      ? [
          {
            id: "bypassed",
            tone: "warning" as const,
            link: (
              <Link to="/approvals" className={styles.toOne}>
                {texts.bypassed(bypasses)}
              </Link>
            ),
          },
        ]
      : []),
  ];
}
