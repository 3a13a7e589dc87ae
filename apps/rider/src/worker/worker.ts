import { SYNC } from "../terms/worker-messages";
import { asLoadedMessage, cacheLoaded } from "./cache-loaded";
import { kindOf } from "./cacheable";
import { documentPart, terms, trimDocuments } from "./public-reads";
import { openNotification, showPush } from "./push-messages";
import { scope } from "./scope";
import { sendPending } from "./send-pending";
import { file, install, page, removeOldVersions } from "./versions";

const ANSWERS = { page, file, terms, document: documentPart };

scope.addEventListener("install", (event) => {
  // At once: open pages continue with the files of their version, which remain cached.
  event.waitUntil(install().then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([removeOldVersions(), trimDocuments()]).then(() => scope.clients.claim()),
  );
});

scope.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request, scope.location.origin);
  // Without `respondWith`, the request is sent with its cookies and tokens, as without a worker.
  if (kind) {
    const lifetime = { waitUntil: (work: Promise<unknown>) => event.waitUntil(work) };
    event.respondWith(ANSWERS[kind](event.request, lifetime));
  }
});

scope.addEventListener("sync", (event) => {
  if (event.tag === SYNC) event.waitUntil(sendPending());
});

scope.addEventListener("message", (event) => {
  const message = asLoadedMessage(event.data);
  if (message) event.waitUntil(cacheLoaded(message));
});

scope.addEventListener("push", (event) => {
  event.waitUntil(showPush(event.data?.text() ?? ""));
});

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openNotification(event.notification.data));
});
