#!/bin/sh
# Guess: a parser that reads UNA accepts its fifth character, which syntax version 4 uses as the repetition separator.
# Behaviour (edifact 1.2.12): it refuses `UNA:+.?*` and takes only a blank there. Without UNA it leaves a repeated
# element together.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts edifact@1.2.12
node -e '
const Parser = require("edifact/parser.js");
const quote = String.fromCharCode(39);
const body = ["UNB+UNOA:4+A+B+20261128:1200+1", "FTX+AAI+++ONE*TWO", "UNZ+1+1"].map((segment) => segment + quote).join("");
const read = (text) => {
  const components = [];
  const parser = new Parser();
  parser.on("component", (component) => components.push(component));
  try {
    parser.write(text);
    parser.end();
  } catch (error) {
    return error.message;
  }
  return components.includes("ONE*TWO") ? "one component" : "two components";
};
const found = [read("UNA:+.?*" + quote + body), read(body)];
console.log("edifact", require("edifact/package.json").version, found.join("; "));
process.exit(/^Invalid character/.test(found[0]) && found[1] === "one component" ? 0 : 1);
'
