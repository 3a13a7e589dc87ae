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

/** Returns the ids of the notices that the rider has opened. */
export function readIds(notices: readonly Notice[], userId: string): ReadonlySet<number> {
  const read = notices.filter((notice) => !isUnread(notice, userId));
  return new Set(read.map(({ id }) => id));
}

/** Returns the notices that are not in `read` first, and then the others, each in their order. */
export function unreadFirst(
  notices: readonly Notice[],
  read: ReadonlySet<number>,
): readonly Notice[] {
  const isRead = ({ id }: Notice) => read.has(id);
  return [...notices.filter((notice) => !isRead(notice)), ...notices.filter(isRead)];
}
