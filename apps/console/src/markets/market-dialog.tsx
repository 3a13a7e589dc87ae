import { HttpError } from "@musette/client/http";
import { Modal } from "@musette/react/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toasts } from "../toast/toasts";
import { DialogForm } from "../ui/dialog-form";
import { Field } from "../ui/field";
import { isMarketCode } from "./code";
import { MARKETS, type Market, saveMarket } from "./markets-query";
import { useMarketsTexts } from "./texts/texts";

interface MarketDialogProps {
  /** Absent: the dialog is closed. With an empty code: a new market. */
  readonly market: Market | undefined;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

export function MarketDialog({ market, ...props }: MarketDialogProps) {
  const words = useMarketsTexts();
  const label = market?.code ? words.editThis(market.code) : words.add;
  return (
    <Modal open={market !== undefined} onClose={props.onClose} label={label}>
      {market && <MarketForm {...props} market={market} />}
    </Modal>
  );
}

const ZONES = Intl.supportedValuesOf("timeZone");

function MarketForm(props: MarketDialogProps & { readonly market: Market }) {
  const { market, taken, onClose } = props;
  const words = useMarketsTexts();
  const client = useQueryClient();
  const isNew = market.code === "";
  const [code, setCode] = useState(market.code);
  const [name, setName] = useState(market.name ?? "");
  const [timezone, setTimezone] = useState(market.timezone ?? "");
  const saving = useMutation({
    mutationFn: saveMarket,
    async onSuccess() {
      toasts.say(words.saved(code));
      onClose();
      await client.invalidateQueries({ queryKey: [MARKETS] });
    },
  });
  const isTaken = isNew && taken.includes(code.trim());
  const isCode = isMarketCode(code.trim());
  const problem = saving.error instanceof HttpError ? saving.error.problem : undefined;
  const isUnassigned = problem?.code === "invalid_market";
  const isNoZone = problem?.errors?.some(({ pointer }) => pointer === "/timezone") ?? false;
  const codeFault = () => {
    if (isTaken) return words.taken;
    if (isUnassigned) return words.unassigned;
    return code && !isCode ? words.noCode : undefined;
  };
  return (
    <DialogForm
      title={isNew ? words.add : words.editThis(market.code)}
      action={isNew ? words.add : words.save}
      isBusy={saving.isPending}
      isDisabled={!isCode || isTaken}
      error={isUnassigned || isNoZone ? undefined : saving.error}
      onSubmit={() =>
        saving.mutate({ code: code.trim(), name: name.trim(), timezone: timezone.trim() })
      }
      onCancel={onClose}
    >
      {isNew && (
        <Field
          label={words.code}
          hint={words.codeHint}
          fault={codeFault()}
          dir="ltr"
          maxLength={48}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onChange={(next) => {
            saving.reset();
            setCode(next);
          }}
        />
      )}
      <Field
        label={words.name}
        hint={words.nameHint}
        required={false}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <Field
        label={words.timezone}
        hint={words.timezoneHint}
        fault={isNoZone ? words.noTimezone : undefined}
        options={ZONES}
        required={false}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={timezone}
        onChange={(next) => {
          saving.reset();
          setTimezone(next);
        }}
      />
    </DialogForm>
  );
}
