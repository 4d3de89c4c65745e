#!/bin/sh
# Guess: a zone map gives a town the zone of its state, where the state has one.
# Behaviour (@photostructure/tz-lookup 11.7.0): Phenix City, Alabama, is in America/New_York, Plentywood, Montana, in
# America/Regina and Swan River, Manitoba, too: the map is coarse beside borders.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @photostructure/tz-lookup@11.7.0
node -e '
const lookup = require("@photostructure/tz-lookup");
const found = [[32.471, -85.0008], [48.7747, -104.5625], [52.1058, -101.2676]].map(([lat, lng]) => (lookup.default ?? lookup)(lat, lng));
console.log("tz-lookup", require("@photostructure/tz-lookup/package.json").version, found.join(" "));
process.exit(found.join(" ") === "America/New_York America/Regina America/Regina" ? 0 : 1);
'
