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
import { PageTools } from "../ui/page-tools";
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
  locale: null,
  declared: false,
  people: 0,
  terms: 0,
};

/** A shorter list needs no search field. */
const SEARCHED_FROM = 15;

/** The company's markets: a tree of countries, subdivisions and places. */
export function MarketsTab() {
  const texts = useMarketsTexts();
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
      <PageTools>
        <ForRoles task="company">
          <Button onClick={() => setEdited(NEW)}>{texts.add}</Button>
        </ForRoles>
      </PageTools>
      <p className="note">{texts.intro}</p>
      {(rows.length >= SEARCHED_FROM || q) && <MarketSearch q={q} />}
      {rows.length > 0 && shown.length === 0 && <p className="card calm">{texts.noneFits}</p>}
      {rows.length === 0 && (
        <div className="card calm">
          <p>{texts.none}</p>
          <p className="note">{texts.noneHint}</p>
        </div>
      )}
      {shown.length > 0 && (
        <table className={`${tableStyles.table} ${tableStyles.list} ${styles.markets}`}>
          <caption className="mu-hidden">{texts.title}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.market}</th>
              <th scope="col">{texts.timezone}</th>
              <th scope="col">{texts.people}</th>
              <th scope="col">{texts.terms}</th>
              <ForRoles task="company" isQuiet>
                <th scope="col">{texts.change}</th>
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
  const texts = useMarketsTexts();
  const navigate = useNavigate({ from: "/settings/markets" });
  return (
    <search className={filterStyles.filter}>
      <SearchField
        label={texts.find}
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
  const texts = useMarketsTexts();
  const { tag } = useLanguage().language;
  const { code, name, depth, market, people, terms } = row;
  return (
    <tr>
      <th scope="row" data-label={texts.market}>
        <span className={whoStyles.who} style={{ paddingInlineStart: `${depth * 1.5}rem` }}>
          <bdi>{name}</bdi>
          {name !== code && (
            <span className="mono note">
              <bdi>{code}</bdi>
            </span>
          )}
        </span>
      </th>
      <td data-label={texts.timezone}>
        {market?.timezone && <bdi dir="ltr">{market.timezone}</bdi>}
      </td>
      <td data-label={texts.people}>
        <Link to="/people" search={{ market: code }}>
          {people.toLocaleString(tag)}
        </Link>
      </td>
      <td data-label={texts.terms}>
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
                aria-label={texts.editThis(code)}
                onClick={() => onEdit(market)}
              >
                {texts.edit}
              </button>
              <button
                type="button"
                className={`${quietStyles.quiet} ${quietStyles.danger}`}
                aria-label={texts.removeThis(code)}
                onClick={() => onRemove(market)}
              >
                {texts.remove}
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
  const texts = useMarketsTexts();
  const client = useQueryClient();
  const code = useLastDefined(market)?.code ?? "";
  return (
    <Confirm
      open={market !== undefined}
      onClose={onClose}
      title={texts.removeAsk(code)}
      action={texts.remove}
      isDangerous
      explain={(error) =>
        error instanceof HttpError && error.status === 409 ? (
          <p className="failure" role="alert">
            {texts.inUse}
          </p>
        ) : undefined
      }
      onConfirm={async () => {
        await removeMarket(code);
        toasts.say(texts.removed(code));
        await client.invalidateQueries({ queryKey: [MARKETS] });
      }}
    >
      <p>{texts.removeHint}</p>
    </Confirm>
  );
}
