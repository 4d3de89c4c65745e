#!/bin/sh
# Guess: the zone of a port in a port list lies in the country of its UN/LOCODE.
# Behaviour (sea-ports 0.0.9): Oakland is in America/Chicago, Bangkok in Asia/Tehran.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts sea-ports@0.0.9
node -e '
const ports = require("sea-ports").JSON;
const zones = ["USOAK", "THBKK"].map((code) => ports[code].timezone);
console.log("sea-ports", require("sea-ports/package.json").version, zones.join(" "));
process.exit(zones.join(" ") === "America/Chicago Asia/Tehran" ? 0 : 1);
'
