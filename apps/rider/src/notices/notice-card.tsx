import { useId } from "react";
import { ReadDocument } from "../documents/read-document";
import { dateAndTime, day } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { navigate, useFragment } from "../router/router";
import { versionName } from "../terms/version-name";
import { isUnread, type Notice } from "./notices";
import { recordOpening } from "./openings";

/** One notice, with a button that opens its text. */
export function NoticeCard(props: { readonly notice: Notice; readonly userId: string }) {
  const { language, texts } = usePageLanguage();
  const { notice, userId } = props;
  const labels = texts.notices;
  const titleId = useId();
  const version = versionName(texts, notice);
  const isAhead = Date.parse(notice.effective_from) > Date.now();
  const effect = day(language.tag, notice.effective_from);
  const { id, sha256 } = notice;
  // A notification leads to the notice with its id in the fragment.
  const isLinked = useFragment() === String(id);
  return (
    <li className="card notice" aria-labelledby={titleId} data-unread={isUnread(notice, userId)}>
      <h2 id={titleId}>
        <bdi>{notice.title}</bdi>
      </h2>
      <p className="term-facts">
        {version && <span>{version}</span>}
        <span>{isAhead ? labels.effectiveFrom(effect) : labels.effectiveSince(effect)}</span>
      </p>
      {notice.summary && <p dir="auto">{notice.summary}</p>}
      <NoticeState notice={notice} userId={userId} />
      <div className="agreement-actions">
        <ReadDocument
          term={notice}
          onShown={() => recordOpening(userId, id, { sha256, locale: language.tag })}
          isLinked={isLinked}
          // A reload, or going back, does not open it again.
          onClose={() => isLinked && navigate("/notices", { replace: true })}
        />
      </div>
    </li>
  );
}

function NoticeState({ notice, userId }: { readonly notice: Notice; readonly userId: string }) {
  const { language, texts } = usePageLanguage();
  if (isUnread(notice, userId)) return <p className="unread">{texts.notices.unread}</p>;
  const at = notice.opened_at;
  const opened = at ? texts.notices.openedOn(dateAndTime(language.tag, at)) : texts.notices.opened;
  return <p className="note">{opened}</p>;
}
