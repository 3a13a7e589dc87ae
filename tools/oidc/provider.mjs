// An OpenID Connect provider on loopback that we did not write, for tests: `oidc-provider`, with people
// who sign in without being asked.
//   node tools/oidc/provider.mjs REDIRECT_URI [JWS_ALGORITHM] [PORT]
// It prints its issuer. Each line of JSON on stdin changes who comes next, and is answered by a line:
//   {"login": "sub of a person, or null for somebody who says no", "people": {"sub": {claims}}}
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

// It tells its notices by console.info; stdout is for what the tests read.
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
    // As most providers do, and against the standard's letter: claims in the ID token too.
    conformIdTokenClaims: algorithm === "RS256",
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
  };
}

/** What a person would do on the provider's pages. */
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

// The issuer has the port in it, which is known once it listens.
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
// Whoever started it has gone.
lines.on("close", () => process.exit(0));
