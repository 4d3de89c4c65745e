#!/bin/sh
# Guess: a calendar of China says for a year without a published notice that it does not know it, or has the days that
# the law fixes.
# Behaviour (chinese-days 1.5.7): 2027-02-08, the third day of the lunar year and a public holiday by the State
# Council regulation itself, is a working day, as every weekday of 2027 is.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts chinese-days@1.5.7
node -e '
const { isWorkday } = require("chinese-days");
const found = ["2026-02-19", "2027-02-08", "2027-10-01"].map((day) => isWorkday(day));
console.log("chinese-days", require("chinese-days/package.json").version, found.join(" "));
process.exit(found.join(" ") === "false true true" ? 0 : 1);
'
