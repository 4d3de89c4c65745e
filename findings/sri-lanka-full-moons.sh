#!/bin/sh
# Guess: the full-moon days (Poya) of Sri Lanka are computed for each year.
# Behaviour (date-holidays 3.37.0): those of 2027 have the month and day of 2026, and so have Eid and
# Deepavali. Only Good Friday moves.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts date-holidays@3.37.0
node -e '
const Holidays = require("date-holidays");
const days = (year) => new Holidays("LK", { types: ["public"] }).getHolidays(year).map(({ date }) => date.slice(5, 10));
const former = new Set(days(2026));
const moved = days(2027).filter((day) => !former.has(day));
console.log("date-holidays", require("date-holidays/package.json").version, "days of 2027 that differ from 2026:", moved.join(" "));
process.exit(moved.join(" ") === "03-26" ? 0 : 1);
'
