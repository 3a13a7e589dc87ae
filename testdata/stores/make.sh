#!/usr/bin/env bash
# Creates a small database with a given version of the program, as the fixture of the upgrade test. All people,
# documents and decisions in it are fictional, and its keys protect nothing.
#
#   testdata/stores/make.sh PROGRAM OUT.db.gz
#
# The program of commit 03fc02c created `before-0054.db.gz`, before the log had entries for published terms,
# orders, erasures and the running hashes. The program of commit 0c9453a2 created `before-0100.db.gz`, before SQLite
# kept decisions in `decisions` and entries packed. The migrations up to 0106 (commit d34617d8) were applied to both files
# afterwards. Next to each are its backup, its last checkpoint, and two of its receipts.
set -euo pipefail
program=$(realpath "$1")
out=$(realpath "$2")
dir=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
export MUSETTE_TEST=1 MUSETTE_LIMITS=off MUSETTE_DATA="$dir/data"
export MUSETTE_PUBLIC_URL=https://musette.example MUSETTE_ALLOWED_HOSTS=127.0.0.1

pdf() { # TEXT FILE
  python3 - "$1" "$2" <<'PY'
import sys
text, path = sys.argv[1:]
page = f"BT /F 14 Tf 40 120 Td ({text}) Tj ET".encode()
objects = [
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 160] /Contents 4 0 R"
    b" /Resources << /Font << /F 5 0 R >> >> >>",
    b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
]
out, offsets = b"%PDF-1.4\n", []
for n, body in enumerate(objects, 1):
    offsets.append(len(out))
    out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
xref = len(out)
out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % it for it in offsets)
out += b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % xref
open(path, "wb").write(out)
PY
}

for text in contract vertrag contract-2 marketing privacy soon; do pdf "$text" "$text.pdf"; done
musette() { "$program" "$@"; }
musette migrate >/dev/null
musette terms publish contract.pdf --type FREELANCER --title Contract --mandatory --order 2 \
  --variant "de=vertrag.pdf:Vertrag" >/dev/null
musette terms publish privacy.pdf --type FREELANCER --title Privacy --mandatory --order 1 >/dev/null
musette terms publish marketing.pdf --type MARKETING --title News --order 3 >/dev/null
for id in rider-1 rider-2 rider-erased rider-imported; do
  musette user add --id "$id" --name "Fictional $id" --email "$id@example.com" >/dev/null
done
musette user add --id operator-1 --role operator --role admin >/dev/null
echo '{"schema":"musette.flags/1","environment":"production","version":0,"attributes":[{"name":"country","type":"string"}],"segments":[],"layers":[],"holdouts":[],"flags":[]}' >flags.json
musette flags import flags.json --env production >/dev/null
musette key create --env production --kind client >/dev/null 2>&1
printf 'user_id,terms_and_conditions_id,accepted,consented_at\nrider-imported,1,true,2024-05-31T09:30:00Z\nrider-imported,2,true,2024-05-31T09:30:00+02:00\n' >paper.csv
"$program" serve --listen 127.0.0.1:0 >serve.out 2>serve.log &
server=$!
until grep -q listening serve.out; do sleep 0.1; done
address=$(sed 's/.*listening on //' serve.out)
token() { musette token issue --user "$1" --access-ttl 600 | sed 's/.*"dhhToken":"\([^"]*\)".*/\1/'; }
submit() { # AUTHORIZATION BODY
  curl -sf "$address/api/rooster/v3/terms/consents" -H 'content-type: application/json' \
    ${1:+-H "authorization: Bearer $1"} -H "idempotency-key: fixture-$RANDOM-$RANDOM-$RANDOM-key" -d "$2"
}
at=2026-11-20T09:30:00
entries() { # ACCEPTED-OF-3
  echo "[{\"accepted\":true,\"terms_and_conditions_id\":1,\"consented_at\":\"${at}Z\",\"method\":\"tick\",\"opened\":true,\"last_page\":1},
    {\"accepted\":true,\"terms_and_conditions_id\":2,\"consented_at\":\"${at}+05:30\"},
    {\"accepted\":$1,\"terms_and_conditions_id\":3,\"consented_at\":\"${at}.123456Z\"}]"
}
rider() { echo "{\"user_id\":\"$1\",\"user_type\":\"RIDER\",\"consents\":$2,\"app\":\"rider-android 7.1 of $1\",\"locale\":\"en-x-$1\"}"; }
applicant() { echo "{\"user_id\":\"\",\"user_type\":\"APPLICANT\",\"consents\":$1,\"app\":\"web 3\",\"locale\":\"ar-EG\"${2:+,\"receipt_id\":\"$2\"}}"; }
for id in rider-1 rider-2 rider-erased; do
  submit "$(token "$id")" "$(rider "$id" "$(entries true)")" >"$id.json"
done
withdrawal="[{\"accepted\":false,\"terms_and_conditions_id\":3,\"consented_at\":\"${at}Z\"}]"
submit "$(token rider-1)" "$(rider rider-1 "$withdrawal")" >/dev/null
for n in 1 2 3; do submit "" "$(applicant "$(entries false)")" >"applicant-$n.json"; done
receipt() { sed 's/.*"receipt":{"id":"\([^"]*\)".*/\1/' "$1"; }
submit "" "$(applicant "$withdrawal" "$(receipt applicant-1.json)")" >/dev/null
claim() { curl -sf "$address/api/rooster/v3/terms/consents/claims" -H 'content-type: application/json' \
  -H "authorization: Bearer $(token "$1")" -d "{\"receipt\":{\"id\":\"$(receipt "$2")\"}}" >/dev/null; }
claim rider-2 applicant-1.json
claim rider-erased applicant-2.json
admin=$(token operator-1)
order() { curl -sf "$@" -H "authorization: Bearer $admin" "$address/api/admin/v1/terms/order${query:-}"; }
query='?type=FREELANCER' order -D order.head >/dev/null
etag=$(sed -n 's/^etag: \(.*\)\r$/\1/Ip' order.head)
order -X PUT -H "if-match: $etag" -H 'content-type: application/json' -d '{"type":"FREELANCER","ids":[1,2]}' >/dev/null
musette terms publish contract-2.pdf --type FREELANCER --title "Contract, corrected" --mandatory --replaces 1 --minor --summary "A typo" >/dev/null
musette terms publish soon.pdf --type FREELANCER --title Soon --mandatory --effective-from 2030-01-01T00:00:00Z --grace-until 2030-02-01T00:00:00Z >/dev/null
musette consents import paper.csv >/dev/null
musette user erase --id rider-erased >/dev/null
curl -sf "$address/log/checkpoint" >checkpoint
curl -sf "$address/receipts/$(receipt applicant-3.json).json" >receipt-applicant.json
curl -sf -H "authorization: Bearer $(token rider-1)" "$address/receipts/$(receipt rider-1.json).json" >receipt-rider.json
kill "$server"; wait "$server" || true
musette log verify
musette backup backup
sqlite() { python3 -c 'import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute("PRAGMA journal_mode=DELETE"); c.execute("VACUUM"); c.close()' "$1"; }
sqlite data/musette.db
gzip -9nc data/musette.db >"$out"
base=${out%.db.gz}
cp checkpoint "$base.checkpoint"
cp backup "$base.backup"
python3 -m json.tool --indent 2 --no-ensure-ascii receipt-rider.json >"$base.receipt-rider.json"
python3 -m json.tool --indent 2 --no-ensure-ascii receipt-applicant.json >"$base.receipt-applicant.json"

ls -l "$out"
