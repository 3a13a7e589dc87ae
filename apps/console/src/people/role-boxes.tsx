import { ROLES, type Role } from "./people-search";
import { usePeopleTexts } from "./texts/texts";

interface RoleBoxesProps {
  readonly roles: readonly Role[];
  readonly onChange: (roles: readonly Role[]) => void;
  /** Stays as it is. */
  readonly locked?: Role;
}

export function RoleBoxes({ roles, onChange, locked }: RoleBoxesProps) {
  const words = usePeopleTexts();
  const toggled = (role: Role, isOn: boolean) =>
    ROLES.filter((it) => (it === role ? isOn : roles.includes(it)));
  return (
    <fieldset className="role-boxes">
      <legend>{words.rolesTitle}</legend>
      {ROLES.map((role) => (
        <label key={role}>
          <input
            type="checkbox"
            className="mu-checkbox"
            checked={roles.includes(role)}
            disabled={role === locked}
            onChange={(event) => onChange(toggled(role, event.target.checked))}
          />
          <span>
            <strong>{words.roles[role]}</strong>
            <small className="note">{words.roleHints[role]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
