import { Button } from "@musette/react/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/client";
import { useMay } from "../../api/use-may";
import { isMarketCode } from "../../markets/code";
import { MarketField } from "../../markets/market-field";
import { marketsQuery } from "../../markets/markets-query";
import { useMarketName } from "../../markets/use-market-name";
import { toasts } from "../../toast/toasts";
import { ForRoles } from "../../ui/for-roles";
import secretStyles from "../../ui/secret.module.css";
import sheetStyles from "../../ui/sheet.module.css";
import { FailureText } from "../../ui/states";
import { PEOPLE, type Person } from "../people-queries";
import { personQuery } from "./person-queries";
import { usePersonTexts } from "./texts/texts";

/** The person's market, which determines the terms that they must agree to. */
export function PersonMarket({ person }: { readonly person: Person }) {
  const texts = usePersonTexts();
  const name = useMarketName();
  const markets = useQuery(marketsQuery).data ?? [];
  if (markets.length === 0 && !person.market) return null;
  return (
    <section className={`card ${sheetStyles.sheet}`}>
      <h2>{texts.market}</h2>
      <p>{person.market ? <bdi>{name(person.market)}</bdi> : texts.noMarket}</p>
      <ForRoles task="people" scope={person.market ?? undefined}>
        <MarketForm key={person.market ?? ""} person={person} />
      </ForRoles>
    </section>
  );
}

function MarketForm({ person }: { readonly person: Person }) {
  const texts = usePersonTexts();
  const client = useQueryClient();
  const current = person.market ?? "";
  const [market, setMarket] = useState(current);
  const may = useMay();
  const saving = useMutation({
    mutationFn: () =>
      api.put(`${PEOPLE}/{userId}/market`, {
        path: { userId: person.user_id },
        body: { market: market || null },
      }),
    onSuccess: async () => {
      toasts.say(texts.marketSaved);
      await client.invalidateQueries({ queryKey: personQuery(person.user_id).queryKey });
      await client.invalidateQueries({ queryKey: [PEOPLE] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={secretStyles.secret} onSubmit={submit}>
      <MarketField
        task="people"
        label={texts.newMarket}
        hint={texts.marketHint}
        value={market}
        onChange={setMarket}
      />
      {saving.isError && <FailureText error={saving.error} />}
      <div>
        <Button
          type="submit"
          kind="secondary"
          loading={saving.isPending}
          disabled={
            market === current || (market !== "" && !isMarketCode(market)) || !may("people", market)
          }
        >
          {texts.saveMarket}
        </Button>
      </div>
    </form>
  );
}
