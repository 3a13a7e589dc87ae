/** What the address of the sign-in page tells it. */
export interface SignInSearch {
  /** Where the person was going. */
  readonly next?: string;
  /** Why they are here: a code of ours, or one that the server sent the browser back with. */
  readonly trouble?: string;
  /** The person came to set this up, and signs in for it once more. */
  readonly set_up?: "authenticator";
}

export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { next, trouble, set_up } = search;
  return {
    // Only a path of this console: the address may have been made by somebody else.
    ...(typeof next === "string" && /^\/(?![/\\])/.test(next) && { next }),
    ...(typeof trouble === "string" && { trouble }),
    ...(set_up === "authenticator" && { set_up }),
  };
}
