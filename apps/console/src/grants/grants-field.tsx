import { useQuery } from "@tanstack/react-query";
import { type ConsoleRole, grantOf } from "../api/grants";
import { environmentsQuery } from "../configuration/document/environment-queries";
import { useLanguage } from "../language/language-context";
import { isMarketCode } from "../markets/code";
import { marketsQuery } from "../markets/markets-query";
import { Field } from "../ui/field";
import roleBoxStyles from "../ui/role-boxes.module.css";
import styles from "./grants.module.css";
import { useGrantsTexts } from "./texts/texts";

/**
 * The chosen roles with their scopes: markets or environments, separated by commas; empty means
 * everywhere.
 */
export type Chosen = Readonly<Record<string, string>>;

export function chosenOf(roles: readonly string[]): Chosen {
  const chosen: Record<string, string> = {};
  for (const { role, scope = "" } of roles.map(grantOf)) {
    const former = chosen[role];
    const isEverywhere = former === "" || scope === "";
    chosen[role] = former === undefined ? scope : isEverywhere ? "" : `${former}, ${scope}`;
  }
  return chosen;
}

const scopesOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

export const grantsFrom = (chosen: Chosen): readonly string[] =>
  Object.entries(chosen).flatMap(([role, text]) => {
    const scopes = scopesOf(text);
    return scopes.length > 0 ? scopes.map((scope) => `${role}@${scope}`) : [role];
  });

/** Whether each scope is well-formed. Only the server knows whether it exists. */
export const areGrants = (roles: readonly string[]): boolean =>
  roles
    .map(grantOf)
    .every(({ role, scope }) => !scope || role === "product" || isMarketCode(scope));

interface GrantsFieldProps {
  readonly offered: readonly ConsoleRole[];
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
  /** A role that cannot be changed. */
  readonly locked?: ConsoleRole | undefined;
}

/** The roles of a person or a program, with their scopes. */
export function GrantsField({ offered, chosen, onChange, locked }: GrantsFieldProps) {
  const grantsTexts = useGrantsTexts();
  const { texts } = useLanguage();
  const toggle = (role: ConsoleRole) => {
    const { [role]: former, ...others } = chosen;
    onChange(former === undefined ? { ...others, [role]: "" } : others);
  };
  return (
    <fieldset className={roleBoxStyles.boxes}>
      <legend>{grantsTexts.roles}</legend>
      {offered.map((role) => (
        <div key={role} className={styles.grant}>
          <label>
            <input
              type="checkbox"
              className="mu-checkbox"
              checked={chosen[role] !== undefined}
              disabled={role === locked}
              onChange={() => toggle(role)}
            />
            <span>
              <strong>{texts.roles[role]}</strong>
              <small className="note">{grantsTexts.hints[role]}</small>
            </span>
          </label>
          {chosen[role] !== undefined && role !== "admin" && role !== "operator" && (
            <ScopeField
              role={role}
              value={chosen[role] ?? ""}
              onChange={(scope) => onChange({ ...chosen, [role]: scope })}
            />
          )}
        </div>
      ))}
    </fieldset>
  );
}

interface ScopeFieldProps {
  readonly role: ConsoleRole;
  readonly value: string;
  readonly onChange: (scope: string) => void;
}

function ScopeField({ role, value, onChange }: ScopeFieldProps) {
  const grantsTexts = useGrantsTexts();
  const { texts } = useLanguage();
  const byEnvironment = role === "product";
  const markets = useQuery(marketsQuery).data?.map(({ code }) => code);
  const environments = useQuery(environmentsQuery).data?.map(({ name }) => name);
  const isBad = !areGrants(grantsFrom({ [role]: value }));
  return (
    <Field
      label={grantsTexts.onlyIn(texts.roles[role])}
      hint={byEnvironment ? grantsTexts.environmentHint : grantsTexts.marketHint}
      error={isBad ? grantsTexts.noMarket : undefined}
      options={byEnvironment ? environments : markets}
      required={false}
      dir="ltr"
      maxLength={300}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={onChange}
    />
  );
}
