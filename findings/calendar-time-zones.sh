#!/bin/sh
# Guess: a holiday package of autumn 2026 knows the time zone rules of 2026.
# Behaviour (date-holidays 3.37.0): it brings moment-timezone 0.5.48 with tzdata 2025b, for which Vancouver is at UTC-8 in
# December 2026. British Columbia keeps UTC-7.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts date-holidays@3.37.0
node -e '
const moment = require("moment-timezone");
const offset = moment.tz("2026-12-15T12:00", "America/Vancouver").format("Z");
console.log("moment-timezone", moment.tz.version, "tzdata", moment.tz.dataVersion, "Vancouver in December 2026", offset);
process.exit(offset === "-08:00" ? 0 : 1);
'
