import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { duration } from "../../evaluations/duration";
import { useLanguage } from "../../language/language-context";
import { coverageQuery } from "../../terms/coverage/coverage-query";
import { reachQuery } from "../../terms/reach/reach-queries";
import type { PublishedTerm } from "../../terms/terms-query";
import { ShareBar } from "../../ui/share-bar";
import stateStyles from "../../ui/state.module.css";
import styles from "../campaigns.module.css";
import type { Campaign } from "../campaigns-queries";
import { type Totals, totalsOf } from "../progress";
import { useCampaignsTexts } from "../texts/texts";
import { rateOf, type Sample, secondsLeft, withSample } from "./rate";

interface ProgressProps {
  readonly campaign: Campaign;
  readonly term: PublishedTerm | undefined;
  readonly startedAt: string;
  /** When the progress was fetched, in milliseconds since 1970. */
  readonly fetchedAt: number;
}

/** How far a campaign is, and what it has achieved. */
export function Progress({ campaign, term, startedAt, fetchedAt }: ProgressProps) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const totals = totalsOf(campaign);
  const { settled, prepared, accepted, bounced, failed, skipped } = totals;
  const count = (value: number) => value.toLocaleString(tag);
  const figures = { sent: settled, accepted, bounced, failed, skipped } as const;
  const market = campaign.market ?? undefined;
  return (
    <section className={`card ${styles.section}`}>
      <h2>{texts.progress}</h2>
      <p role="status">
        {prepared > 0 ? texts.sentOf(count(settled), count(prepared)) : texts.notPrepared}
      </p>
      <ShareBar share={prepared > 0 ? settled / prepared : 0} />
      {campaign.status === "running" && <Speed totals={totals} fetchedAt={fetchedAt} />}
      <dl className={styles.figures}>
        {(["sent", "accepted", "bounced", "failed", "skipped"] as const).map((name) => (
          <div key={name}>
            <dt>{texts[name]}</dt>
            <dd className={stateStyles.figure}>{count(figures[name])}</dd>
          </div>
        ))}
        {term?.kind === "notice" ? (
          <Opened term={term.id} />
        ) : (
          term && <Agreed term={term.id} market={market} startedAt={startedAt} />
        )}
      </dl>
    </section>
  );
}

/** The rate as measured by this page, and the time left at this rate. */
function Speed(props: { readonly totals: Totals; readonly fetchedAt: number }) {
  const { totals, fetchedAt } = props;
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const { settled, waiting, queued } = totals;
  useEffect(() => {
    setSamples((before) => withSample(before, { at: fetchedAt, settled }));
  }, [fetchedAt, settled]);
  const rate = rateOf(samples);
  const remaining = secondsLeft(queued, rate);
  const offered = waiting - queued;
  const parts = [
    rate ? texts.rate(rate.toLocaleString(tag, { maximumFractionDigits: 1 })) : undefined,
    remaining === undefined ? undefined : texts.timeLeft(duration(tag, remaining)),
    offered > 0 ? texts.forApps(offered.toLocaleString(tag)) : undefined,
  ].filter((part) => part !== undefined);
  return parts.length > 0 && <p className="note">{parts.join(" · ")}</p>;
}

function Opened({ term }: { readonly term: number }) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const { data } = useQuery(reachQuery(term));
  return (
    <div>
      <dt>{texts.opened}</dt>
      <dd>
        <span className={stateStyles.figure}>{data ? data.opened.toLocaleString(tag) : "–"}</span>
        {data && <span className="note">{texts.openedOf(data.addressed.toLocaleString(tag))}</span>}
      </dd>
    </div>
  );
}

/** The riders who agreed now compared with the start. Withdrawals since then are subtracted. */
function Agreed(props: {
  readonly term: number;
  readonly market: string | undefined;
  readonly startedAt: string;
}) {
  const texts = useCampaignsTexts();
  const { tag } = useLanguage().language;
  const now = useQuery(coverageQuery(props.term, undefined, props.market)).data;
  const before = useQuery(coverageQuery(props.term, props.startedAt, props.market)).data;
  const count = (value: number) => value.toLocaleString(tag);
  return (
    <div>
      <dt>{texts.agreedSince}</dt>
      <dd>
        <span className={stateStyles.figure}>
          {now && before ? count(now.riders_accepted - before.riders_accepted) : "–"}
        </span>
        {now && before && (
          <span className="note">
            {texts.agreedFromTo(
              count(before.riders_accepted),
              count(now.riders_accepted),
              count(now.riders),
            )}
          </span>
        )}
      </dd>
    </div>
  );
}
