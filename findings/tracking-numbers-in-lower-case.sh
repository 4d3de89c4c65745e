#!/bin/sh
# Guess: a package that reads a tracking number with blanks in it also reads it in lower case.
# Behaviour (ts-tracking-number 1.0.17): the UPS number is found with blanks, and not in lower case.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ts-tracking-number@1.0.17
node -e '
const { getTracking } = require("ts-tracking-number");
const found = ["1Z 5R8 939 03 5756 7127", "1z5r89390357567127"].map((number) => getTracking(number)?.name ?? "none");
console.log("ts-tracking-number", require("ts-tracking-number/package.json").version, found.join(" "));
process.exit(found.join(" ") === "UPS none" ? 0 : 1);
'
