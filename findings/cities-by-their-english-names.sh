#!/bin/sh
# Guess: a package that finds the zone of a city knows the great ports by their English names, and lists the largest
# city first.
# Behaviour (city-timezones 1.3.4): Antwerp is unknown, and the first London is the one in Ontario.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts city-timezones@1.3.4
node -e '
const { lookupViaCity } = require("city-timezones");
const found = ["Antwerp", "London"].map((city) => lookupViaCity(city)[0]?.timezone ?? "none");
console.log("city-timezones", require("city-timezones/package.json").version, found.join(" "));
process.exit(found.join(" ") === "none America/Toronto" ? 0 : 1);
'
