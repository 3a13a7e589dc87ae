import { type ReactNode, useCallback, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { LoadFailed, LoadingCards } from "../loading/states";
import { AsOf } from "../offline/offline-note";
import { useStoredLoad } from "../offline/use-stored-load";
import { PushSwitch } from "../push/push-switch";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { NoticeCard } from "./notice-card";
import { fetchNotices, readIds, unreadFirst } from "./notices";
import { useOpenings } from "./openings";

/** The rider's notices, unread first. */
export function NoticesPage() {
  const userId = useUserId();
  const ended = useEnded();
  if (userId === undefined) return <SignedOut ended={ended} />;
  return <RiderNotices key={userId} userId={userId} />;
}

/** Returns the rider's notices, also without a network if they were fetched before. */
export function useNotices(userId: string) {
  const { language } = usePageLanguage();
  const load = useCallback(() => fetchNotices(userId, language.tag), [userId, language.tag]);
  useOpenings();
  return useStoredLoad(`notices ${language.tag}`, load);
}

function RiderNotices({ userId }: { readonly userId: string }) {
  const loaded = useNotices(userId);
  if (loaded.state === "loading") {
    return (
      <Titled>
        <LoadingCards count={2} />
      </Titled>
    );
  }
  if (loaded.state === "failed") {
    return (
      <Titled>
        <LoadFailed error={loaded.error} onRetry={loaded.reload} />
      </Titled>
    );
  }
  return (
    <>
      <NoticeList userId={userId} notices={loaded.value}>
        <AsOf at={loaded.keptAt} />
      </NoticeList>
      <PushSwitch userId={userId} />
    </>
  );
}

function NoticeList(props: {
  readonly userId: string;
  readonly notices: Parameters<typeof unreadFirst>[0];
  readonly children: ReactNode;
}) {
  const { texts } = usePageLanguage();
  const { userId, notices } = props;
  // The order stays: a card that moves would close the viewer that it has opened.
  const [readBefore] = useState(() => readIds(notices, userId));
  if (notices.length === 0) {
    return (
      <Titled>
        <p className="card">{texts.notices.none}</p>
      </Titled>
    );
  }
  return (
    <Titled>
      <p className="lead">{texts.notices.intro}</p>
      {props.children}
      <ul className="cards">
        {unreadFirst(notices, readBefore).map((notice) => (
          <NoticeCard key={notice.id} notice={notice} userId={userId} />
        ))}
      </ul>
    </Titled>
  );
}

function Titled({ children }: { readonly children: ReactNode }) {
  const { texts } = usePageLanguage();
  return (
    <>
      <h1>{texts.notices.title}</h1>
      {children}
    </>
  );
}
