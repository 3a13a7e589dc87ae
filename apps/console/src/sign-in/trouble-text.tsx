import { HttpError } from "@musette/client/http";
import { failureKind } from "../api/failure";
import { useLanguage } from "../language/language-context";
import { codeOf, knownTrouble } from "./sign-in-calls";

/** Why signing in did not work: by the code of an answer or of the address, else by what failed. */
export function TroubleText(props: { readonly error?: unknown; readonly code?: string }) {
  const { texts } = useLanguage();
  return (
    <p className="failure" role="alert">
      {words()}
    </p>
  );

  function words(): string {
    const { error, code = codeOf(error) } = props;
    const known = knownTrouble(code);
    if (known) return texts.signIn.troubles[known];
    if (code === "ended") return texts.signIn.ended;
    const seconds = error instanceof HttpError && Number(error.response.headers.get("Retry-After"));
    if (failureKind(error) === "rateLimited" && seconds) {
      const minutes = Math.floor(seconds / 60);
      return texts.signIn.throttledFor(`${minutes}:${String(seconds % 60).padStart(2, "0")}`);
    }
    // An address may hold any code; only an answer is a failure.
    return error === undefined ? texts.failure.refused : texts.failure[failureKind(error)];
  }
}
