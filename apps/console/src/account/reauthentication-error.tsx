import { useLanguage } from "../language/language-context";
import { codeOf } from "../sign-in/sign-in-calls";
import { SignInErrorText } from "../sign-in/sign-in-error-text";
import { useAccountTexts } from "./texts/texts";

/** Explains why the re-authentication failed. */
export function ReauthenticationError({ error }: { readonly error: unknown }) {
  const accountTexts = useAccountTexts();
  const { texts } = useLanguage();
  const code = codeOf(error);
  const message =
    code === "credentials_invalid"
      ? accountTexts.wrongPassword
      : code === "second_factor_required"
        ? texts.signIn.setUpRequired
        : undefined;
  if (message === undefined) return <SignInErrorText error={error} />;
  return (
    <p className="failure" role="alert">
      {message}
    </p>
  );
}
