/** How long the browser may take to start the worker. */
const WORKER_MS = 10_000;

/**
 * Whether the browser shows push messages. On iOS only an app of the home screen can, and a build
 * for development has no worker.
 */
export function supportsPush(): boolean {
  return (
    "serviceWorker" in navigator &&
    "PushManager" in globalThis &&
    "Notification" in globalThis &&
    globalThis.isSecureContext
  );
}

/** Returns the browser's permission: "default" means that it has not asked yet. */
export function pushPermission(): NotificationPermission | undefined {
  return supportsPush() ? Notification.permission : undefined;
}

/** Returns the registration of the active worker. Rejects if there is none. */
export async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error("The service worker has not started.")), WORKER_MS),
  );
  return await Promise.race([navigator.serviceWorker.ready, late]);
}

/** Returns the browser's subscription, if it has one. */
export async function currentSubscription(): Promise<PushSubscription | undefined> {
  if (!supportsPush()) return undefined;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** Decodes base64url. Some browsers take the server's key only as bytes. */
export function keyBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
