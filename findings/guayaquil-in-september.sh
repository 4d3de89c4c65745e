#!/bin/sh
# Guess: a holiday of one fixed day is on that day in a holiday package.
# Behaviour (date-holidays 3.37.0): the Independence of Guayaquil, 9 October in Ecuador, is on 10 September.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts date-holidays@3.37.0
node -e '
const Holidays = require("date-holidays");
const days = new Holidays("EC", { types: ["public"] }).getHolidays(2026);
const found = days.filter(({ name }) => /Guayaquil/.test(name)).map(({ date }) => date.slice(0, 10)).join(" ");
console.log("date-holidays", require("date-holidays/package.json").version, found);
process.exit(found === "2026-09-10" ? 0 : 1);
'
