#!/bin/sh
# Guess: the code of a port in a port list is that of Schedule K (five digits), or of Schedule D (four) in the USA.
# Behaviour (sea-ports 0.0.9): ports of the Great Lakes and of the Saint Lawrence have lost the leading zero. Montreal is
# 1822 instead of 01822, and looks like a code of Schedule D, which for Boston has its zero (0401).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts sea-ports@0.0.9
node -e '
const ports = require("sea-ports").JSON;
const found = ["CAMTR", "CATOR", "CAVAN", "USBOS"].map((port) => ports[port].code).join(" ");
console.log("sea-ports", require("sea-ports/package.json").version, found);
process.exit(found === "1822 1535 12493 0401" ? 0 : 1);
'
