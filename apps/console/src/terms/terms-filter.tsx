import { Link, useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import styles from "./terms.module.css";
import { sorts, statuses, type TermsSearch } from "./terms-search";
import { useTermsTexts } from "./texts/texts";

/** Each choice goes into the address at once. */
export function TermsFilter(props: {
  readonly search: TermsSearch;
  readonly types: readonly string[];
}) {
  const words = useTermsTexts();
  const navigate = useNavigate({ from: "/terms" });
  const id = useId();
  const { search, types } = props;
  const { status: _status, ...anyStatus } = search;
  const change = (name: "type" | "sort", value: string) =>
    void navigate({ search: (former) => ({ ...former, [name]: value }), replace: true });
  return (
    <search className={styles.termsFilter}>
      <nav className="tabs" aria-label={words.statusLabel}>
        <Link to="/terms" search={anyStatus} activeOptions={{ exact: true }}>
          {words.all}
        </Link>
        {statuses.map((status) => (
          <Link
            key={status}
            to="/terms"
            search={{ ...search, status }}
            activeOptions={{ exact: true }}
          >
            {words.status[status]}
          </Link>
        ))}
      </nav>
      <div className="filter">
        <div className="field">
          <label htmlFor={`${id}type`}>{words.type}</label>
          <select
            id={`${id}type`}
            value={search.type ?? ""}
            onChange={(event) => change("type", event.target.value)}
          >
            <option value="">{words.anyType}</option>
            {[...new Set([...types, ...(search.type ? [search.type] : [])])].map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}sort`}>{words.sort}</label>
          <select
            id={`${id}sort`}
            value={search.sort ?? "order"}
            onChange={(event) => change("sort", event.target.value)}
          >
            {sorts.map((sort) => (
              <option key={sort} value={sort}>
                {words.sorts[sort]}
              </option>
            ))}
          </select>
        </div>
      </div>
    </search>
  );
}
