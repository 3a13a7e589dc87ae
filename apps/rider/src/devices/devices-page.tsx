import { Button } from "@musette/react/ui";
import { useRef, useState } from "react";
import { usePageLanguage } from "../language/page-language";
import { FailureText, LoadFailed, LoadingCards } from "../loading/states";
import { useLoad } from "../loading/use-load";
import { PushSwitch } from "../push/push-switch";
import { navigate } from "../router/router";
import { leaveSession } from "../session/person";
import { useEnded, useUserId } from "../session/session";
import { SignedOut } from "../sign-in/signed-out";
import { DeviceCard } from "./device-card";
import { type Device, endDevices, fetchDevices } from "./devices";

export function DevicesPage() {
  const userId = useUserId();
  const ended = useEnded();
  return userId ? <Devices key={userId} userId={userId} /> : <SignedOut ended={ended} />;
}

function Devices({ userId }: { readonly userId: string }) {
  const { texts } = usePageLanguage();
  const loaded = useLoad(fetchDevices);
  const heading = useRef<HTMLHeadingElement>(null);
  const { ending, error, done, end } = useEnd(() => {
    loaded.reload();
    // The pressed button disappears, so the focus moves to the heading.
    heading.current?.focus({ preventScroll: true });
  });

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="devices-title">
        {texts.devices.title}
      </h1>
      <p className="lead">{texts.devices.intro}</p>
      {error !== undefined && <FailureText error={error} />}
      <p className="mu-hidden" role="status">
        {done && texts.devices.ended}
      </p>
      {loaded.state === "loading" && <LoadingCards count={2} />}
      {loaded.state === "failed" && <LoadFailed error={loaded.error} onRetry={loaded.reload} />}
      {loaded.state === "ready" && (
        <>
          <DeviceList devices={loaded.value} ending={ending} onEnd={end} />
          <PushSwitch userId={userId} />
        </>
      )}
    </>
  );
}

function DeviceList(props: {
  readonly devices: readonly Device[];
  readonly ending: readonly string[];
  readonly onEnd: (devices: readonly Device[]) => void;
}) {
  const { texts } = usePageLanguage();
  const others = props.devices.filter(({ current }) => !current);
  return (
    <>
      <ul className="cards">
        {props.devices.map((device) => (
          <DeviceCard
            key={device.sid}
            device={device}
            ending={props.ending.includes(device.sid)}
            onEnd={() => (device.current ? signOut() : props.onEnd([device]))}
          />
        ))}
      </ul>
      {others.length === 0 && <p className="note">{texts.devices.noOthers}</p>}
      {others.length > 1 && (
        <Button
          kind="secondary"
          className="end-others"
          loading={others.every(({ sid }) => props.ending.includes(sid))}
          onClick={() => props.onEnd(others)}
        >
          {texts.devices.endOthers}
        </Button>
      )}
    </>
  );
}

function signOut(): void {
  // First leaves this page: without a session it would lead to the sign-in.
  navigate("/");
  leaveSession();
}

function useEnd(onEnded: () => void) {
  const [ending, setEnding] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>();
  const [isDone, setIsDone] = useState(false);

  async function end(devices: readonly Device[]): Promise<void> {
    const sids = devices.map(({ sid }) => sid);
    setEnding((others) => [...others, ...sids]);
    setError(undefined);
    setIsDone(false);
    try {
      await endDevices(devices);
      setIsDone(true);
    } catch (failure) {
      setError(failure);
    } finally {
      setEnding((all) => all.filter((sid) => !sids.includes(sid)));
      // Also after an error, because some sessions may have ended.
      onEnded();
    }
  }

  return { ending, error, done: isDone, end };
}
