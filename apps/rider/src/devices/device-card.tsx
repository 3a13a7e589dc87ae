import { Button } from "@musette/react/ui";
import { useId } from "react";
import { dateAndTime } from "../language/dates";
import { usePageLanguage } from "../language/page-language";
import { type Device, isPhone } from "./devices";

const PHONE = "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM11 18h2";
const COMPUTER = "M4 5h16v11H4zM2 19h20";

export function DeviceCard(props: {
  readonly device: Device;
  readonly ending: boolean;
  readonly onEnd: () => void;
}) {
  const { language, texts } = usePageLanguage();
  const { device } = props;
  const id = useId();
  return (
    <li className="card device" aria-labelledby={id} data-current={device.current || undefined}>
      <svg aria-hidden="true" viewBox="0 0 24 24">
        <path d={isPhone(device) ? PHONE : COMPUTER} />
      </svg>
      <div className="device-facts">
        <h2 id={id}>
          <bdi>{device.device || texts.devices.unknown}</bdi>
        </h2>
        {device.current ? (
          <strong className="device-current">{texts.devices.current}</strong>
        ) : (
          <span className="note">
            {texts.devices.lastUsed(dateAndTime(language.tag, device.last_used_at))}
          </span>
        )}
        <span className="note">
          {texts.devices.since(dateAndTime(language.tag, device.created_at))}
        </span>
      </div>
      <Button
        kind="secondary"
        loading={props.ending}
        onClick={props.onEnd}
        aria-describedby={device.current ? undefined : id}
      >
        {device.current ? texts.start.leave : texts.devices.end}
      </Button>
    </li>
  );
}
