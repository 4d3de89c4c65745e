#!/bin/sh
# Guess: the public holidays of China include every day off of the Spring Festival and of Labour Day.
# Behaviour (date-holidays 3.37.0): 2026-02-19 and 2026-05-02 are no public holidays, and the working weekends that the
# State Council sets against them are not in the package.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts date-holidays@3.37.0
node -e '
const Holidays = require("date-holidays");
const days = new Set(new Holidays("CN", { types: ["public"] }).getHolidays(2026).map(({ date }) => date.slice(0, 10)));
console.log("date-holidays", require("date-holidays/package.json").version, [...days].sort().join(" "));
process.exit(days.has("2026-02-19") || days.has("2026-05-02") ? 1 : 0);
'
