import { Button, Modal } from "@musette/react/ui";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Tagged } from "../api/client";
import {
  type FlagsDocument,
  type Metric,
  withMetric,
  withoutMetric,
} from "../configuration/document/document";
import flagStyles from "../configuration/document/flag.module.css";
import { FlagsFrame } from "../configuration/frame";
import {
  emptyMetric,
  type MetricDraft,
  metricDraftOf,
} from "../configuration/metrics/metric-draft";
import { useMetricTexts } from "../configuration/metrics/texts/texts";
import { ProposedChange } from "../configuration/review/proposed-change";
import { metricNamesQuery } from "../results/results-query";
import { type Column, LongTable } from "../table/long-table";
import { ForRoles } from "../ui/for-roles";
import iconButtonStyles from "../ui/icon-button.module.css";
import { PageTools } from "../ui/page-tools";
import quietStyles from "../ui/quiet-button.module.css";
import { useLastDefined } from "../ui/use-last";
import { MetricForm } from "./metric-form";
import styles from "./metrics.module.css";
import { useMetricsTexts } from "./texts/texts";
import { ratiosOf, usesOfMetric } from "./uses";

export function MetricsPage() {
  const texts = useMetricsTexts();
  return (
    <FlagsFrame title={texts.title} intro={texts.intro}>
      {(env, base) => <Metrics key={env} env={env} base={base} />}
    </FlagsFrame>
  );
}

interface MetricsProps {
  readonly env: string;
  readonly base: Tagged<FlagsDocument>;
}

function Metrics({ env, base }: MetricsProps) {
  const texts = useMetricsTexts();
  const [edited, setEdited] = useState<{ draft: MetricDraft; isNew: boolean }>();
  const named = useLastDefined(edited);
  const [proposed, setProposed] = useState<FlagsDocument>();
  const document = base.body;
  const { metrics = [] } = document;
  const declare = (key: string) => setEdited({ draft: { ...emptyMetric, key }, isNew: true });
  const change = (metric: Metric) => {
    setEdited(undefined);
    setProposed(withMetric(document, metric));
  };
  const columns = useColumns(document, {
    onEdit: (metric) => setEdited({ draft: metricDraftOf(metric), isNew: false }),
    onRemove: ({ key }) => setProposed(withoutMetric(document, key)),
  });
  return (
    <>
      <PageTools>
        <ForRoles task="flags" scope={env}>
          <Button onClick={() => declare("")}>{texts.declare}</Button>
        </ForRoles>
      </PageTools>
      {metrics.length === 0 ? (
        <div className="card calm">
          <p>{texts.empty}</p>
          <p className="note">{texts.emptyHint}</p>
        </div>
      ) : (
        <LongTable
          label={texts.title}
          columns={columns}
          rows={metrics}
          rowKey={({ key }) => key}
          isMore={false}
          isLoading={false}
          onMore={() => undefined}
        />
      )}
      <Undeclared env={env} metrics={metrics} onDeclare={declare} />
      <Modal
        open={edited !== undefined}
        onClose={() => setEdited(undefined)}
        label={named?.isNew ? texts.declare : texts.edit(named?.draft.key ?? "")}
      >
        {edited && (
          <MetricForm
            document={document}
            original={edited.draft}
            isNew={edited.isNew}
            onClose={() => setEdited(undefined)}
            onDone={change}
          />
        )}
      </Modal>
      <ProposedChange
        env={env}
        base={base}
        proposed={proposed}
        saved={texts.saved}
        onClose={() => setProposed(undefined)}
      />
    </>
  );
}

interface Actions {
  readonly onEdit: (metric: Metric) => void;
  readonly onRemove: (metric: Metric) => void;
}

function useColumns(document: FlagsDocument, actions: Actions): readonly Column<Metric>[] {
  const texts = useMetricsTexts();
  const shared = useMetricTexts();
  return [
    {
      id: "key",
      title: texts.metric,
      width: "30%",
      cell: ({ key, name, description }) => (
        <div className={flagStyles.flagName}>
          <strong>
            <bdi>{name ?? key}</bdi>
          </strong>
          {name && <bdi className="mono note">{key}</bdi>}
          {description && <span className="note">{description}</span>}
        </div>
      ),
    },
    {
      id: "kind",
      title: texts.measured,
      width: "25%",
      cell: ({ direction, kind, unit }) => (
        <span>
          {shared.directions[direction]}
          <small className={`note ${styles.line}`}>
            {shared.kinds[kind]}
            {unit && (
              <>
                {" · "}
                <bdi>{unit}</bdi>
              </>
            )}
          </small>
        </span>
      ),
    },
    {
      id: "uses",
      title: texts.usedBy,
      width: "27%",
      cell: (metric) => <Uses document={document} metric={metric} />,
    },
    {
      id: "actions",
      title: texts.change,
      width: "18%",
      cell: (metric) => <RowActions document={document} metric={metric} {...actions} />,
    },
  ];
}

function Uses({ document, metric }: { document: FlagsDocument; metric: Metric }) {
  const texts = useMetricsTexts();
  const uses = usesOfMetric(document, metric.key);
  const ratios = ratiosOf(document, metric.key);
  if (uses.length + ratios.length === 0) return <span className="note">{texts.unused}</span>;
  return (
    <ul className={styles.uses}>
      {uses.map(({ kind, key, role }) => (
        <li key={`${kind} ${key}`}>
          <Link
            to={kind === "experiment" ? "/experiments/$key" : "/holdouts/$key"}
            params={{ key }}
            search={{ metric: metric.key }}
          >
            <bdi>{key}</bdi>
          </Link>{" "}
          <small className="note">{texts.roles[role]}</small>
        </li>
      ))}
      {ratios.map((key) => (
        <li key={key}>{texts.divides(key)}</li>
      ))}
    </ul>
  );
}

function RowActions(props: { document: FlagsDocument; metric: Metric } & Actions) {
  const texts = useMetricsTexts();
  const { document, metric } = props;
  const isUsed =
    usesOfMetric(document, metric.key).length + ratiosOf(document, metric.key).length > 0;
  return (
    <span className={styles.actions}>
      <button
        type="button"
        className={quietStyles.quiet}
        aria-label={texts.edit(metric.key)}
        onClick={() => props.onEdit(metric)}
      >
        {texts.editShort}
      </button>
      {!isUsed && (
        <button
          type="button"
          className={iconButtonStyles.iconButton}
          aria-label={texts.remove(metric.key)}
          onClick={() => props.onRemove(metric)}
        >
          ×
        </button>
      )}
    </span>
  );
}

/** Metrics that services report, but that are not declared. */
function Undeclared(props: {
  readonly env: string;
  readonly metrics: readonly Metric[];
  readonly onDeclare: (key: string) => void;
}) {
  const texts = useMetricsTexts();
  const names = useQuery(metricNamesQuery(props.env));
  const declared = new Set(props.metrics.map(({ key }) => key));
  const others = (names.data ?? []).filter((name) => !declared.has(name));
  if (others.length === 0) return null;
  return (
    <section className={`card ${styles.undeclared}`}>
      <h2>{texts.undeclared}</h2>
      <p className="note">{texts.undeclaredHint}</p>
      <ul>
        {others.map((name) => (
          <li key={name}>
            <bdi className="mono">{name}</bdi>
            <Button
              kind="secondary"
              aria-label={texts.declareThis(name)}
              onClick={() => props.onDeclare(name)}
            >
              {texts.declareShort}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
