import type { CampaignPerson } from "../campaigns-queries";

/** The names of the columns, as in the API. */
export const PEOPLE_HEADER = [
  "user_id",
  "status",
  "reason",
  "step",
  "channel",
  "locale",
  "sent_at",
  "outcome",
  "outcome_status",
  "repeated",
  "sha256",
  "message",
  "message_id",
] as const;

/** Returns one line for each message; a person without messages has one line. Steps count from 1. */
export function linesOf(person: CampaignPerson): readonly (readonly string[])[] {
  const start = [person.user_id, person.status, person.reason ?? ""];
  if (person.messages.length === 0) return [[...start, ...PEOPLE_HEADER.slice(3).map(() => "")]];
  return person.messages.map((message) => [
    ...start,
    String(message.step + 1),
    message.channel,
    message.locale ?? "",
    message.sent_at ?? "",
    message.outcome ?? "",
    message.status ?? "",
    message.repeated ? "true" : "",
    message.sha256 ?? "",
    message.id,
    message.message_id ?? "",
  ]);
}
