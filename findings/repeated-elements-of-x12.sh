#!/bin/sh
# Guess: a parser of X12 005010 splits an element at the repetition separator, which ISA11 states.
# Behaviour (node-x12 1.7.1): strict parsing keeps `A^B` as one value.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-x12@1.7.1
node -e '
const { X12Parser } = require("node-x12");
const text =
  "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261128*1200*^*00501*000000001*0*P*>~" +
  "GS*QM*SENDER*RECEIVER*20261128*1200*1*X*005010~ST*214*0001~B10*1*2*ABCD~L11*A^B*BM~SE*4*0001~GE*1*1~IEA*1*000000001~";
const { segments } = new X12Parser(true).parse(text).functionalGroups[0].transactions[0];
const { value } = segments.find(({ tag }) => tag === "L11").elements[0];
console.log("node-x12", require("node-x12/package.json").version, value);
process.exit(value === "A^B" ? 0 : 1);
'
