#!/bin/sh
# Guess: a date cell of a workbook that counts from 1904 is the same day as a value and as formatted text.
# Behaviour (xlsx 0.18.5): with `cellDates` the value is four years and a day too early (2022-11-28). The formatted
# text is right (11/29/26).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5 jszip@3.10.1
node -e '
const JSZip = require("jszip");
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
async function workbook({ cells, texts = "", properties = "" }) {
  const parts = { workbook: "sheet.main", styles: "styles", sharedStrings: "sharedStrings", sheet1: "worksheet" };
  const zip = new JSZip();
  const types = Object.entries(parts).map(([part, type]) =>
    `<Override PartName="/xl/${part === "sheet1" ? "worksheets/" : ""}${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`);
  const rels = (targets) => `<Relationships xmlns="${packages}/relationships">` + targets.map(([type, target], at) =>
    `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`).join("") + "</Relationships>";
  zip.file("[Content_Types].xml", `<Types xmlns="${packages}/content-types"><Default Extension="rels" ` +
    `ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types.join("")}</Types>`);
  zip.file("_rels/.rels", rels([["officeDocument", "xl/workbook.xml"]]));
  zip.file("xl/_rels/workbook.xml.rels",
    rels([["worksheet", "worksheets/sheet1.xml"], ["sharedStrings", "sharedStrings.xml"], ["styles", "styles.xml"]]));
  zip.file("xl/workbook.xml", `<workbook xmlns="${main}" xmlns:r="${office}">${properties}` +
    `<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`);
  zip.file("xl/styles.xml", `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>` +
    `<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>` +
    `<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`);
  zip.file("xl/sharedStrings.xml", `<sst xmlns="${main}">${texts}</sst>`);
  zip.file("xl/worksheets/sheet1.xml", `<worksheet xmlns="${main}"><sheetData><row r="1">${cells}</row></sheetData></worksheet>`);
  return zip.generateAsync({ type: "nodebuffer" });
}
process.env.TZ = "UTC";
(async () => {
  const { read, utils, version } = require("xlsx");
  const cells = "<c r=\"A1\" s=\"1\"><v>44893</v></c>";
  const file = await workbook({ properties: "<workbookPr date1904=\"1\"/>", cells });
  const rows = (options, shown) => utils.sheet_to_json(read(file, options).Sheets.S, { header: 1, ...shown })[0][0];
  const found = [rows({ cellDates: true }, {}).toISOString().slice(0, 10), rows({}, { raw: false })].join(" ");
  console.log("xlsx", version, found);
  process.exit(found === "2022-11-28 11/29/26" ? 0 : 1);
})();
'
