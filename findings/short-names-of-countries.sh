#!/bin/sh
# Guess: a package of ISO 3166-1 finds a country by the English short name of the standard.
# Behaviour (i18n-iso-countries 7.14.0): Viet Nam, Cabo Verde and Curacao are not found, where Vietnam, Cape Verde and
# South Korea are.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts i18n-iso-countries@7.14.0
node -e '
const countries = require("i18n-iso-countries");
const names = ["Viet Nam", "Cabo Verde", "Curacao", "Vietnam", "Cape Verde", "South Korea"];
const found = names.map((name) => countries.getAlpha2Code(name, "en") ?? "none");
console.log("i18n-iso-countries", require("i18n-iso-countries/package.json").version, found.join(" "));
process.exit(found.join(" ") === "none none none VN CV KR" ? 0 : 1);
'
