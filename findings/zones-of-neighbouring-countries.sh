#!/bin/sh
# Guess: an exact zone map names the zone of the country in which the point lies.
# Behaviour (geo-tz 8.1.9): its default data merge zones that agree since 1970: Rotterdam is in Europe/Brussels,
# Gothenburg in Europe/Berlin, Reykjavik in Africa/Abidjan. A check that a zone belongs to the country refuses them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts geo-tz@8.1.9
node -e '
const { find } = require("geo-tz");
const found = [[51.95, 4.14], [57.69, 11.85], [64.15, -21.86]].map(([lat, lng]) => find(lat, lng).join());
console.log("geo-tz", require("./node_modules/geo-tz/package.json").version, found.join(" "));
process.exit(found.join(" ") === "Europe/Brussels Europe/Berlin Africa/Abidjan" ? 0 : 1);
'
