export type { AxiosLike } from "./attach";
export type { Channel, Message } from "./channel";
export type { Cookies } from "./cookies";
export { type Logout, type Reason, type RefusedRequest, SessionError } from "./failure";
export type { Lock } from "./lock";
export { browserManagers, type Managers } from "./managers";
export { createSession, type Session, type SessionOptions, type SessionState } from "./session";
export type { Share, Shared } from "./shared";
export type { Tokens } from "./tokens";
