#!/bin/sh
# Guess: a validator of IMO numbers accepts the seven digits as data formats carry them (DCSA `vesselIMONumber`, TDT
# of EDIFACT).
# Behaviour (imonumber 1.0.2): it accepts only numbers with the prefix `IMO`.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts imonumber@1.0.2
node -e '
const { validate } = require("imonumber");
const found = ["IMO 9176187", "IMO9176187", "9176187"].map((number) => validate(number));
console.log("imonumber", require("imonumber/package.json").version, found.join(" "));
process.exit(found.join(" ") === "true true false" ? 0 : 1);
'
