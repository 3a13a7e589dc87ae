import { usePageLanguage } from "../language/page-language";
import { Link } from "../router/router";
import { isUnread, type Notice } from "./notices";

/** A line on the start page that names the newest unread notice. */
export function NewNotice(props: { readonly notices: readonly Notice[]; readonly userId: string }) {
  const { texts } = usePageLanguage();
  const unread = props.notices.find((notice) => isUnread(notice, props.userId));
  if (!unread) return null;
  return (
    <section className="card new-notice">
      <p className="unread">
        <bdi>{texts.notices.newest(unread.title)}</bdi>
      </p>
      <div className="ways">
        <Link className="mu-button" data-kind="secondary" href="/notices">
          {texts.notices.toNotices}
        </Link>
      </div>
    </section>
  );
}
