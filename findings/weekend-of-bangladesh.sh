#!/bin/sh
# Guess: the CLDR knows the weekend of every country.
# Behaviour (cldr-core 48.2.0): Bangladesh, whose offices close on Friday and Saturday, has the default weekend of Saturday
# and Sunday, and so have Brunei (Friday and Sunday) and the Maldives (Friday and Saturday).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cldr-core@48.2.0
node -e '
const { weekendStart, weekendEnd } = require("cldr-core/supplemental/weekData.json").supplemental.weekData;
const weekend = (country) => `${weekendStart[country] ?? weekendStart["001"]}-${weekendEnd[country] ?? weekendEnd["001"]}`;
const found = ["EG", "BD", "BN", "MV"].map(weekend).join(" ");
console.log("cldr-core", require("cldr-core/package.json").version, found);
process.exit(found === "fri-sat sat-sun sat-sun sat-sun" ? 0 : 1);
'
