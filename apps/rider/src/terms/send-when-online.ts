import { SYNC } from "./worker-messages";

interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

/** Asks the browser to send it as soon as there is a network, even if the app is closed by then. */
export async function sendWhenOnline(): Promise<void> {
  const registration: SyncRegistration | undefined =
    await navigator.serviceWorker?.getRegistration?.();
  await registration?.sync?.register(SYNC);
}
