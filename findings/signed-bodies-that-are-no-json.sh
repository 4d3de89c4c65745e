#!/bin/sh
# Guess: verifying a webhook answers whether the signature fits the body.
# Behaviour (standardwebhooks 1.1.1): a rightly signed body that is not JSON is refused with a SyntaxError after its
# signature was found right: `verify` also parses.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts standardwebhooks@1.1.1
node -e '
const { Webhook } = require("standardwebhooks");
const webhook = new Webhook("whsec_" + Buffer.from("0123456789abcdef01234567").toString("base64"));
const now = new Date();
const verify = (body) => {
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": webhook.sign("msg_1", now, body),
  };
  try {
    webhook.verify(body, headers);
    return "accepted";
  } catch (error) {
    return error.name;
  }
};
const found = [verify("{\"a\":1}"), verify("a=1&b=2")];
console.log("standardwebhooks", require("standardwebhooks/package.json").version, found.join(" "));
process.exit(found.join(" ") === "accepted SyntaxError" ? 0 : 1);
'
