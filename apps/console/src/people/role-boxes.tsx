import { CONSOLE_ROLES, type ConsoleRole, grantOf } from "../api/grants";
import { useIsAdmin } from "../api/use-is-admin";
import { chosenOf, GrantsField, grantsFrom } from "../grants/grants-field";
import roleBoxStyles from "../ui/role-boxes.module.css";
import { PLAIN_ROLES } from "./people-search";
import { usePeopleTexts } from "./texts/texts";

interface RoleBoxesProps {
  readonly roles: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
  /** A role that cannot be changed. */
  readonly locked?: ConsoleRole;
}

const isPlain = (role: string) => (PLAIN_ROLES as readonly string[]).includes(role);
const OFFERED = CONSOLE_ROLES.filter((role) => role !== "operator");

/** The roles of a person. Only admins can assign roles other than rider. */
export function RoleBoxes({ roles, onChange, locked }: RoleBoxesProps) {
  const texts = usePeopleTexts();
  const isAdmin = useIsAdmin();
  const plain = roles.filter(isPlain);
  const others = roles.filter((role) => !isPlain(role));
  const toggle = (role: string) =>
    onChange([
      ...PLAIN_ROLES.filter((plainRole) =>
        plainRole === role ? !plain.includes(plainRole) : plain.includes(plainRole),
      ),
      ...others,
    ]);
  const isOperator = others.some((other) => grantOf(other).role === "operator");
  return (
    <>
      <fieldset className={roleBoxStyles.boxes}>
        <legend>{texts.rolesTitle}</legend>
        {PLAIN_ROLES.map((role) => (
          <label key={role}>
            <input
              type="checkbox"
              className="mu-checkbox"
              checked={plain.includes(role)}
              disabled={role !== "rider" && !isAdmin}
              onChange={() => toggle(role)}
            />
            <span>
              <strong>{texts.roles[role]}</strong>
              <small className="note">{texts.roleHints[role]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {isAdmin && (
        <GrantsField
          offered={isOperator ? CONSOLE_ROLES : OFFERED}
          chosen={chosenOf(others)}
          onChange={(chosen) => onChange([...plain, ...grantsFrom(chosen)])}
          locked={locked}
        />
      )}
    </>
  );
}
