import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import type { ApprovalRule } from "../api/approval-rules";
import type { Proposal } from "../api/proposals";
import { useLanguage } from "../language/language-context";
import { useMinute } from "../language/use-day";
import { coverageQuery } from "../terms/coverage/coverage-query";
import { type OrderedTerm, readOrder } from "../terms/order/order-calls";
import type { PublishedTerm } from "../terms/terms-query";
import { useTermsTexts } from "../terms/texts/texts";
import factStyles from "../ui/facts.module.css";
import { changedRules } from "./rules";
import { useApprovalsTexts } from "./texts/texts";

type Row = readonly [string, ReactNode];

function Facts({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <dl className={factStyles.facts}>
      {rows.map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** What a proposal would change, depending on its action. */
export function ProposalFacts(props: {
  readonly proposal: Proposal;
  /** The version that it ends. */
  readonly term: PublishedTerm | undefined;
}) {
  const { proposal, term } = props;
  if (proposal.act === "replace_rules") return <RuleFacts proposal={proposal} />;
  if (proposal.act === "reorder_terms") return <OrderFacts proposal={proposal} />;
  return <EndingFacts proposal={proposal} term={term} />;
}

function EndingFacts({ proposal, term }: Parameters<typeof ProposalFacts>[0]) {
  const texts = useApprovalsTexts();
  const { term: terms, ...more } = useTermsTexts();
  const { tag } = useLanguage().language;
  const minute = useMinute();
  const coverage = useQuery({
    ...coverageQuery(term?.id ?? 0),
    enabled: term !== undefined && proposal.act === "retire_term",
  }).data;
  if (!term) return null;
  const retired =
    proposal.act === "retire_term" && (proposal.at ? minute(proposal.at) : texts.onceApplied);
  const rows: readonly Row[] = [
    [
      more.type,
      <>
        <bdi className="mono">{term.type}</bdi> {term.mandatory ? more.mandatory : more.optional}
      </>,
    ],
    [more.draft.fields.label, term.label && <bdi>{term.label}</bdi>],
    [terms.effective, minute(term.effective_from)],
    [texts.retiredFrom, retired],
    [texts.outstanding, coverage?.riders_outstanding.toLocaleString(tag)],
  ];
  return <Facts rows={rows} />;
}

function OrderFacts({ proposal }: { readonly proposal: Proposal }) {
  const texts = useApprovalsTexts();
  const type = proposal.type ?? "";
  const ids = proposal.ids ?? [];
  const order = useQuery({
    queryKey: ["terms", "order", type, "proposal"],
    queryFn: () => readOrder(type),
  });
  const items = order.data?.body.items ?? [];
  const named = (id: number) => items.find((item) => item.id === id);
  const after = ids.map((id) => named(id) ?? { id, title: String(id) });
  const list = (terms: readonly Pick<OrderedTerm, "id" | "title">[]) => (
    <ol>
      {terms.map(({ id, title }) => (
        <li key={id}>
          <bdi>{title}</bdi>
        </li>
      ))}
    </ol>
  );
  return (
    <Facts
      rows={[
        [texts.before, items.length > 0 && list(items)],
        [texts.after, list(after)],
      ]}
    />
  );
}

function RuleFacts({ proposal }: { readonly proposal: Proposal }) {
  const texts = useApprovalsTexts();
  const before = (proposal.rules_before ?? []) as readonly ApprovalRule[];
  const after = (proposal.rules ?? []) as readonly ApprovalRule[];
  return (
    <Facts
      rows={changedRules(before, after).map(({ subject, scope, was, will }) => [
        `${texts.subjects[subject]}: ${scope === "*" ? texts.all : scope}`,
        texts.fromTo(texts.approvals(was), texts.approvals(will)),
      ])}
    />
  );
}
