import { HttpError } from "@musette/client/http";
import { failureKind } from "../api/failure";
import { useLanguage } from "../language/language-context";
import { codeOf, knownSignInError } from "./sign-in-calls";

/** Explains why signing in failed: by the code of the answer or the address, or by the kind of error. */
export function SignInErrorText(props: { readonly error?: unknown; readonly code?: string }) {
  const { texts } = useLanguage();
  return (
    <p className="failure" role="alert">
      {message()}
    </p>
  );

  function message(): string {
    const { error, code = codeOf(error) } = props;
    const errorCode = knownSignInError(code);
    if (errorCode) return texts.signIn.errors[errorCode];
    if (code === "ended") return texts.signIn.ended;
    const seconds = error instanceof HttpError && Number(error.response.headers.get("Retry-After"));
    if (failureKind(error) === "rateLimited" && seconds) {
      const minutes = Math.floor(seconds / 60);
      return texts.signIn.throttledFor(`${minutes}:${String(seconds % 60).padStart(2, "0")}`);
    }
    // An address may contain any code. Only an answer is an error.
    return error === undefined ? texts.failure.refused : texts.failure[failureKind(error)];
  }
}
