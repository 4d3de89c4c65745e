#!/bin/sh
# Guess: the newest release of the npm package tzdata has the newest rules.
# Behaviour (tzdata 1.0.51): it has 2026d, where moment-timezone 0.6.6 has 2026f, the first with Manitoba at one offset.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts tzdata@1.0.51 moment-timezone@0.6.6
node -e '
const { version } = require("tzdata");
const moment = require("moment-timezone");
const offset = moment.tz("2026-12-15T12:00", "America/Winnipeg").format("Z");
console.log("tzdata", version, "moment-timezone", moment.tz.dataVersion, "Winnipeg in December 2026", offset);
process.exit(version === "2026d" && moment.tz.dataVersion === "2026f" && offset === "-05:00" ? 0 : 1);
'
