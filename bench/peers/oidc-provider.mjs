// The peer in the refresh benchmark: `oidc-provider` with rotating refresh tokens and signed access tokens like
// ours. It commits and syncs each change before it responds.
//   node bench/peers/oidc-provider.mjs FILE.db SESSIONS
// Prints its version, its address, and then one refresh token per session.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import Database from "better-sqlite3";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

const [file, sessions] = process.argv.slice(2);
const DAY_S = 86_400;

const db = new Database(file);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec(`CREATE TABLE kept (model TEXT, id TEXT, payload TEXT, grant_id TEXT, uid TEXT,
  expires_at INTEGER, consumed_at INTEGER, PRIMARY KEY (model, id)) WITHOUT ROWID;
  CREATE INDEX kept_by_grant ON kept (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX kept_by_uid ON kept (uid) WHERE uid IS NOT NULL;`);
const sql = {
  put: db.prepare(`INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO UPDATE
    SET payload = excluded.payload, expires_at = excluded.expires_at`),
  get: db.prepare(
    "SELECT payload, consumed_at FROM kept WHERE model = ? AND id = ? AND expires_at > ?",
  ),
  byUid: db.prepare("SELECT payload, consumed_at FROM kept WHERE model = ? AND uid = ?"),
  consume: db.prepare("UPDATE kept SET consumed_at = ? WHERE model = ? AND id = ?"),
  drop: db.prepare("DELETE FROM kept WHERE model = ? AND id = ?"),
  dropGrant: db.prepare("DELETE FROM kept WHERE grant_id = ?"),
};
const nowS = () => Math.floor(Date.now() / 1000);
const parsed = (row) =>
  row && { ...JSON.parse(row.payload), ...(row.consumed_at && { consumed: row.consumed_at }) };

class Adapter {
  constructor(model) {
    this.model = model;
  }
  async upsert(id, payload, expiresInS = 14 * DAY_S) {
    const { grantId = null, uid = null } = payload;
    sql.put.run(this.model, id, JSON.stringify(payload), grantId, uid, nowS() + expiresInS);
  }
  async find(id) {
    return parsed(sql.get.get(this.model, id, nowS()));
  }
  async findByUid(uid) {
    return parsed(sql.byUid.get(this.model, uid));
  }
  async findByUserCode() {}
  async consume(id) {
    sql.consume.run(nowS(), this.model, id);
  }
  async destroy(id) {
    sql.drop.run(this.model, id);
  }
  async revokeByGrantId(grantId) {
    sql.dropGrant.run(grantId);
  }
}

const RESOURCE = "urn:bench:api";
const { privateKey } = await generateKeyPair("Ed25519", { extractable: true });
const jwk = { ...(await exportJWK(privateKey)), alg: "Ed25519", use: "sig" };
const configuration = {
  adapter: Adapter,
  clients: [
    {
      client_id: "bench",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: ["https://bench.example/cb"],
    },
  ],
  jwks: { keys: [jwk] },
  cookies: { keys: ["of the bench"] },
  clientDefaults: { id_token_signed_response_alg: "Ed25519" },
  enabledJWA: { idTokenSigningAlgValues: ["Ed25519"] },
  rotateRefreshToken: true,
  ttl: {
    AccessToken: 900,
    RefreshToken: 14 * DAY_S,
    Grant: 90 * DAY_S,
    IdToken: 900,
    Session: DAY_S,
  },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "api",
        audience: RESOURCE,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "Ed25519" } },
      }),
    },
  },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
};

const server = createServer();
server.listen(0, "127.0.0.1", async () => {
  const address = `127.0.0.1:${server.address().port}`;
  const provider = new Provider(`http://${address}`, configuration);
  server.on("request", provider.callback());
  const packageOf = new URL("../package.json", import.meta.resolve("oidc-provider"));
  const lines = [version(packageOf), address];
  const client = await provider.Client.find("bench");
  for (let i = 0; i < Number(sessions); i++) {
    const accountId = `rider-${i}`;
    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    grant.addOIDCScope("offline_access");
    grant.addResourceScope(RESOURCE, "api");
    const grantId = await grant.save();
    const token = new provider.RefreshToken({
      accountId,
      client,
      grantId,
      gty: "authorization_code",
      scope: "offline_access api",
      resource: RESOURCE,
      rotations: 0,
    });
    lines.push(await token.save());
  }
  console.log(lines.join("\n"));
});

function version(url) {
  return JSON.parse(readFileSync(url, "utf8")).version;
}
