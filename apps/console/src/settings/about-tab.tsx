import { useQuery } from "@tanstack/react-query";
import { useLanguage } from "../language/language-context";
import { overviewQuery, readyQuery } from "../overview/overview-queries";
import { Skeleton } from "../shell/skeleton";
import { LoadFailed } from "../shell/states";
import { useSettingsTexts } from "./texts/texts";

/** What runs here. */
export function AboutTab() {
  const words = useSettingsTexts();
  const { texts } = useLanguage();
  const overview = useQuery(overviewQuery);
  const ready = useQuery(readyQuery);
  if (overview.isPending) return <Skeleton rows={3} />;
  if (overview.isError) return <LoadFailed error={overview.error} onRetry={overview.refetch} />;
  const { version, engine } = overview.data;
  return (
    <section className="card part">
      <h2>Musette</h2>
      <dl className="facts">
        <dt>{texts.overview.version}</dt>
        <dd>
          <bdi>{version}</bdi>
        </dd>
        <dt>{words.engine}</dt>
        <dd>{texts.overview.engine[engine]}</dd>
        <dt>{texts.overview.server}</dt>
        <dd>
          {ready.data !== undefined && (
            <span className="chip" data-tone={ready.data ? "good" : "bad"}>
              {ready.data ? texts.overview.ready : texts.overview.notReady}
            </span>
          )}
        </dd>
      </dl>
    </section>
  );
}
