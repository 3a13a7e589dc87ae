import type { Schema } from "@musette/client/api";
import { requestJson } from "@musette/client/http";
import { session } from "../session/session";
import { isOpenedHere } from "./openings";

export type Notice = Schema<"RiderNotice">;

const riderPath = (userId: string) => `/api/rooster/v3/riders/${encodeURIComponent(userId)}`;

/** Returns the rider's notices, newest first. */
export async function fetchNotices(userId: string, language: string): Promise<readonly Notice[]> {
  const list = await requestJson<Schema<"RiderNotices">>(
    session.fetch,
    `${riderPath(userId)}/notices`,
    { headers: { "Accept-Language": language } },
  );
  return list.items;
}

/** Whether the rider has not opened the notice, neither elsewhere nor on this phone. */
export function isUnread(notice: Notice, userId: string): boolean {
  return notice.opened_at === null && !isOpenedHere(userId, notice.id);
}

/** Returns the unread notices first, in their order, and then the others. */
export function unreadFirst(notices: readonly Notice[], userId: string): readonly Notice[] {
  const unread = notices.filter((notice) => isUnread(notice, userId));
  return [...unread, ...notices.filter((notice) => !unread.includes(notice))];
}
