import { Link, useNavigate } from "@tanstack/react-router";
import { MarketFilter } from "../markets/market-filter";
import { ChoiceField } from "../ui/choice-field";
import filterStyles from "../ui/filter.module.css";
import tabStyles from "../ui/tabs.module.css";
import styles from "./terms.module.css";
import { sorts, statuses, type TermsSearch } from "./terms-search";
import { useTermsTexts } from "./texts/texts";

/** The filters of the list. Each choice updates the address at once. */
export function TermsFilter(props: {
  readonly search: TermsSearch;
  readonly types: readonly string[];
}) {
  const texts = useTermsTexts();
  const navigate = useNavigate({ from: "/terms" });
  const { search, types } = props;
  const { status: _status, ...anyStatus } = search;
  const change = (name: "type" | "sort" | "market", value: string | undefined) =>
    void navigate({ search: (former) => ({ ...former, [name]: value }), replace: true });
  return (
    <search className={styles.termsFilter}>
      <nav className={tabStyles.tabs} aria-label={texts.statusLabel}>
        <Link to="/terms" search={anyStatus} activeOptions={{ exact: true }}>
          {texts.all}
        </Link>
        {statuses.map((status) => (
          <Link
            key={status}
            to="/terms"
            search={{ ...search, status }}
            activeOptions={{ exact: true }}
          >
            {texts.status[status]}
          </Link>
        ))}
      </nav>
      <div className={filterStyles.filter}>
        <ChoiceField
          label={texts.type}
          value={search.type ?? ""}
          options={[
            { value: "", label: texts.anyType },
            ...new Set([...types, ...(search.type ? [search.type] : [])]),
          ]}
          onChange={(type) => change("type", type)}
        />
        <MarketFilter value={search.market} onChange={(market) => change("market", market)} />
        <ChoiceField
          label={texts.sort}
          value={search.sort ?? "order"}
          options={sorts.map((value) => ({ value, label: texts.sorts[value] }))}
          onChange={(sort) => change("sort", sort)}
        />
      </div>
    </search>
  );
}
