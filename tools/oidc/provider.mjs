// A third-party OpenID Connect provider on loopback for tests: `oidc-provider`, whose users sign in without
// interaction.
//   node tools/oidc/provider.mjs REDIRECT_URI [JWS_ALGORITHM] [PORT]
// It prints its issuer. Each line of JSON on stdin sets who signs in next, and is acknowledged by one line:
//   {"login": "sub of a person, or null for a person who declines", "people": {"sub": {claims}}}
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

// It prints notices with console.info; stdout is reserved for what the tests read.
console.info = console.error;

const [redirectUri, algorithm = "RS256", port = "0"] = process.argv.slice(2);
let people = {};
let login = null;

const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
const jwk = { ...(await exportJWK(privateKey)), alg: algorithm, use: "sig" };

function configuration() {
  return {
    clients: [
      {
        client_id: "musette",
        client_secret: "a-secret-of-the-tests-and-no-other",
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: algorithm,
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ["of the tests"] },
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    // Like most providers, and contrary to the standard: put claims into the ID token too.
    conformIdTokenClaims: algorithm === "RS256",
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
  };
}

/** Does what a person would do on the provider's pages. */
async function interact(provider, { req, res }) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(req, res);
  const finish = (result) =>
    provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
  if (login === null) return await finish({ error: "access_denied" });
  if (prompt.name === "login") return await finish({ login: { accountId: login } });
  const { accountId } = session;
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId, clientId: params.client_id });
  grant.addOIDCScope("openid email profile");
  return await finish({ consent: { grantId: await grant.save() } });
}

// The issuer contains the port, which is known once the server listens.
const server = createServer();
server.listen(Number(port), "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration());
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith("/interaction/")) return await next();
    ctx.respond = false;
    await interact(provider, ctx);
  });
  server.on("request", provider.callback());
  console.log(issuer);
});

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  ({ login, people } = JSON.parse(line));
  console.log("ok");
});
// stdin was closed, so the parent process has ended.
lines.on("close", () => process.exit(0));
