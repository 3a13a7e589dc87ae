import { useFlag } from "@musette/react/flags";
import { regional } from "@musette/react/language";
import { usePageLanguage } from "../language/page-language";

interface Support {
  readonly open?: boolean;
  /** Hours of the day. A value above 24 is on the next morning. */
  readonly from?: number;
  readonly to?: number;
}

const CLOSED = { open: false };

/** Shows when riders can reach support; nothing if support is not offered. */
export function SupportHours() {
  const { texts, language } = usePageLanguage();
  const { value } = useFlag("support-chat", CLOSED);
  const { open, from, to } = value as Support;
  if (!open || from === undefined || to === undefined) return null;
  const time = new Intl.DateTimeFormat(regional(language.tag), {
    timeStyle: "short",
    timeZone: "UTC",
  });
  const hour = (of: number) => time.format(Date.UTC(2026, 0, 1, of));
  return <p className="note">{texts.supportHours(hour(from), hour(to))}</p>;
}
