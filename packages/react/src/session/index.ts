export { SessionProvider, type SessionProviderProps, type UseSession, useSession } from "./session";
