import { useQueryClient } from "@tanstack/react-query";
import { useInstant } from "../language/dates";
import { toasts } from "../toast/toasts";
import { Confirm } from "../ui/confirm/confirm";
import { useLastDefined } from "../ui/use-last";
import { type Key, keysKey, revokeKey } from "./settings-queries";
import { useSettingsTexts } from "./texts/texts";

interface RevokeKeyProps {
  readonly revoking: Key | undefined;
  readonly onClose: () => void;
}

/** Confirms the revocation of a key, and says when it was last used. */
export function RevokeKey({ revoking, onClose }: RevokeKeyProps) {
  const texts = useSettingsTexts();
  const written = useInstant();
  const client = useQueryClient();
  const key = useLastDefined(revoking);
  const name = key?.name ?? key?.id ?? "";
  return (
    <Confirm
      open={revoking !== undefined}
      onClose={onClose}
      title={texts.revokeAsk(name)}
      action={texts.revoke}
      isDangerous
      onConfirm={async () => {
        if (!key) return;
        await revokeKey(key);
        toasts.say(texts.revokedNow(name));
        await client.invalidateQueries({ queryKey: keysKey });
      }}
    >
      <p>{texts.revokeHint}</p>
      {key && (
        <p className="note">
          {key.last_used_at ? texts.usedLast(written(key.last_used_at)) : texts.neverUsed}
        </p>
      )}
    </Confirm>
  );
}
