#!/bin/sh
# Guess: a stream of X12 interchanges is read with the separators that each ISA states.
# Behaviour (x12-parser 1.3.0): the component separator of the first interchange is used for all: a weight and its
# unit in the second one stay one value.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts x12-parser@1.3.0
node -e '
const { X12parser } = require("x12-parser");
const { Readable } = require("node:stream");
const interchange = (separator) =>
  "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261128*1200*^*00501*000000001*0*P*" + separator +
  "~GS*QM*SENDER*RECEIVER*20261128*1200*1*X*005010~ST*214*0001~B10*1*2*ABCD~MS1*EL PASO*TX*US*LB" + separator + "25~" +
  "SE*4*0001~GE*1*1~IEA*1*000000001~";
(async () => {
  const found = [];
  const read = Readable.from([Buffer.from(interchange(">") + interchange(":"))]).pipe(new X12parser());
  for await (const segment of read) if (segment.name === "MS1") found.push(segment[4]);
  console.log("x12-parser", require("./node_modules/x12-parser/package.json").version, found.join(" "));
  process.exit(found.join(" ") === "LB LB:25" ? 0 : 1);
})();
'
