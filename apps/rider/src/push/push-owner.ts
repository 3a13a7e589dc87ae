// The worker cannot read the page's storage. So the person who receives the push messages is also
// kept in a cache.
const CACHE = "musette-push";
const OWNER = "/push-owner";

/** Returns the user id of the rider who turned push messages on in this browser. */
export async function pushOwner(): Promise<string | undefined> {
  const answer = await (await caches.open(CACHE)).match(OWNER);
  return await answer?.text();
}

export async function storePushOwner(userId: string | undefined): Promise<void> {
  if (userId === undefined) await caches.delete(CACHE);
  else await (await caches.open(CACHE)).put(OWNER, new Response(userId));
}
