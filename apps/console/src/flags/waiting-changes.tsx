import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { changeQuery, changesQuery } from "../configuration/review/changes-query";
import { useLanguage } from "../language/language-context";
import { useMoment } from "../language/use-moment";
import bannerStyles from "../ui/banner.module.css";
import { useFlagsTexts } from "./texts/texts";

interface WaitingChangesProps {
  readonly env: string;
  readonly flagKey: string;
}

/** Warns that a pending change will or may change this page, so that edits would conflict with it. */
export function WaitingChanges({ env, flagKey }: WaitingChangesProps) {
  const flagsTexts = useFlagsTexts();
  const { texts } = useLanguage();
  const moment = useMoment();
  const pages = useInfiniteQuery(changesQuery(env)).data?.pages ?? [];
  const open = pages
    .flatMap(({ items }) => items)
    .filter(({ status }) => status === "proposed" || status === "waiting");
  // A list does not contain the changed objects.
  const details = useQueries({ queries: open.map(({ id }) => changeQuery(env, id)) });
  const ofThis = details
    .flatMap(({ data }) => data ?? [])
    .filter(({ objects }) =>
      objects?.some(({ section, key }) => section === "flags" && key === flagKey),
    );
  return ofThis.map(({ id, status, at }) => (
    <p key={id} className={bannerStyles.banner}>
      {status === "waiting" && at ? (
        <>
          {flagsTexts.changeWaits(moment(at))}{" "}
          <Link to="/flags/planned" search={{ env }}>
            {texts.tabs.planned}
          </Link>
        </>
      ) : (
        <>
          {flagsTexts.changeProposed} <Link to="/approvals">{texts.nav.approvals}</Link>
        </>
      )}
    </p>
  ));
}
