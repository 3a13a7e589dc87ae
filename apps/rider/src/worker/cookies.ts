interface CookieStore {
  getAll(): Promise<readonly { readonly name: string; readonly value: string }[]>;
}

/** Returns the cookies of this origin. None if the browser does not reveal them to a worker. */
export async function readCookies(): Promise<Map<string, string>> {
  const { cookieStore } = globalThis as { readonly cookieStore?: CookieStore };
  return new Map((await cookieStore?.getAll())?.map(({ name, value }) => [name, value]));
}
