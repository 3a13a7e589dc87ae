import { HttpError } from "@musette/client/http";
import { Button } from "@musette/react/ui";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useLanguage } from "../language/language-context";
import tableStyles from "../table/table.module.css";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import filterStyles from "../ui/filter.module.css";
import { ForRoles } from "../ui/for-roles";
import listStyles from "../ui/list.module.css";
import quietStyles from "../ui/quiet-button.module.css";
import { SearchField } from "../ui/search-field";
import { Skeleton } from "../ui/skeleton";
import { LoadFailed } from "../ui/states";
import { useLastDefined } from "../ui/use-last";
import whoStyles from "../ui/who.module.css";
import { MarketDialog } from "./market-dialog";
import styles from "./markets.module.css";
import { MARKETS, type Market, marketsQuery, removeMarket } from "./markets-query";
import { useMarketsTexts } from "./texts/texts";
import { type MarketRow, matchingMarkets } from "./tree";
import { useMarketTree } from "./use-market-tree";

const NEW: Market = {
  code: "",
  name: null,
  timezone: null,
  declared: false,
  people: 0,
  terms: 0,
};

/** A shorter list needs no search field. */
const SEARCHED_FROM = 15;

/** The company's markets: a tree of countries, subdivisions and places. */
export function MarketsTab() {
  const words = useMarketsTexts();
  const markets = useQuery(marketsQuery);
  const rows = useMarketTree();
  const { q = "" } = useSearch({ from: "/inside/settings/markets" });
  const shown = matchingMarkets(rows, q);
  const [edited, setEdited] = useState<Market>();
  const [removing, setRemoving] = useState<Market>();
  if (markets.isPending) return <Skeleton rows={4} />;
  if (markets.isError) return <LoadFailed error={markets.error} onRetry={markets.refetch} />;
  return (
    <>
      <div className={listStyles.bar}>
        <p className="note">{words.intro}</p>
        <ForRoles task="company">
          <Button className={listStyles.action} onClick={() => setEdited(NEW)}>
            {words.add}
          </Button>
        </ForRoles>
      </div>
      {(rows.length >= SEARCHED_FROM || q) && <MarketSearch q={q} />}
      {rows.length > 0 && shown.length === 0 && <p className="card calm">{words.noneFits}</p>}
      {rows.length === 0 && (
        <div className="card calm">
          <p>{words.none}</p>
          <p className="note">{words.noneHint}</p>
        </div>
      )}
      {shown.length > 0 && (
        <table className={`${tableStyles.table} ${styles.markets}`}>
          <caption className="mu-hidden">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{words.market}</th>
              <th scope="col">{words.timezone}</th>
              <th scope="col">{words.people}</th>
              <th scope="col">{words.terms}</th>
              <ForRoles task="company" isQuiet>
                <th scope="col">{words.change}</th>
              </ForRoles>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <MarketLine key={row.code} row={row} onEdit={setEdited} onRemove={setRemoving} />
            ))}
          </tbody>
        </table>
      )}
      <MarketDialog
        market={edited}
        taken={markets.data.map(({ code }) => code)}
        onClose={() => setEdited(undefined)}
      />
      <RemoveMarket market={removing} onClose={() => setRemoving(undefined)} />
    </>
  );
}

function MarketSearch({ q }: { readonly q: string }) {
  const words = useMarketsTexts();
  const navigate = useNavigate({ from: "/settings/markets" });
  return (
    <search className={filterStyles.filter}>
      <SearchField
        label={words.find}
        value={q}
        onChange={(sought) => void navigate({ search: sought ? { q: sought } : {}, replace: true })}
      />
    </search>
  );
}

interface MarketLineProps {
  readonly row: MarketRow;
  readonly onEdit: (market: Market) => void;
  readonly onRemove: (market: Market) => void;
}

function MarketLine({ row, onEdit, onRemove }: MarketLineProps) {
  const words = useMarketsTexts();
  const { tag } = useLanguage().language;
  const { code, name, depth, market, people, terms } = row;
  return (
    <tr>
      <th scope="row" data-label={words.market}>
        <span className={whoStyles.who} style={{ paddingInlineStart: `${depth * 1.5}rem` }}>
          <bdi>{name}</bdi>
          {name !== code && (
            <span className="mono note">
              <bdi>{code}</bdi>
            </span>
          )}
        </span>
      </th>
      <td data-label={words.timezone}>
        {market?.timezone && <bdi dir="ltr">{market.timezone}</bdi>}
      </td>
      <td data-label={words.people}>
        <Link to="/people" search={{ market: code }}>
          {people.toLocaleString(tag)}
        </Link>
      </td>
      <td data-label={words.terms}>
        <Link to="/terms" search={{ market: code }}>
          {terms.toLocaleString(tag)}
        </Link>
      </td>
      <ForRoles task="company" isQuiet>
        <td>
          {market?.declared && (
            <span className={styles.actions}>
              <button
                type="button"
                className={quietStyles.quiet}
                aria-label={words.editThis(code)}
                onClick={() => onEdit(market)}
              >
                {words.edit}
              </button>
              <button
                type="button"
                className={`${quietStyles.quiet} ${quietStyles.danger}`}
                aria-label={words.removeThis(code)}
                onClick={() => onRemove(market)}
              >
                {words.remove}
              </button>
            </span>
          )}
        </td>
      </ForRoles>
    </tr>
  );
}

interface RemoveMarketProps {
  readonly market: Market | undefined;
  readonly onClose: () => void;
}

function RemoveMarket({ market, onClose }: RemoveMarketProps) {
  const words = useMarketsTexts();
  const client = useQueryClient();
  const code = useLastDefined(market)?.code ?? "";
  return (
    <Confirm
      open={market !== undefined}
      onClose={onClose}
      title={words.removeAsk(code)}
      action={words.remove}
      isDangerous
      explain={(error) =>
        error instanceof HttpError && error.status === 409 ? (
          <p className="failure" role="alert">
            {words.inUse}
          </p>
        ) : undefined
      }
      onConfirm={async () => {
        await removeMarket(code);
        toasts.say(words.removed(code));
        await client.invalidateQueries({ queryKey: [MARKETS] });
      }}
    >
      <p>{words.removeHint}</p>
    </Confirm>
  );
}
