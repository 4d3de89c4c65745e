#!/bin/sh
# Guess: the streaming reader of a package reads the same text of a cell as its loading reader.
# Behaviour (exceljs 4.4.0): for a Japanese cell with a phonetic guide the loading reader returns the text, and the
# streaming reader only the guide.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0 jszip@3.10.1
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
(async () => {
  const { Readable } = require("node:stream");
  const { Workbook, stream } = require("exceljs");
  const texts = "<si><t>\u6771\u4eac</t><rPh sb=\"0\" eb=\"2\"><t>\u30c8\u30a6\u30ad\u30e7\u30a6</t></rPh></si>";
  const file = await workbook({ texts, cells: "<c r=\"A1\" t=\"s\"><v>0</v></c>" });
  const loaded = new Workbook();
  await loaded.xlsx.load(file);
  const found = [loaded.worksheets[0].getCell("A1").value];
  const options = { sharedStrings: "cache", worksheets: "emit", styles: "cache" };
  for await (const sheet of new stream.xlsx.WorkbookReader(Readable.from([file]), options))
    for await (const row of sheet) found.push(row.getCell(1).value);
  console.log("exceljs", require("exceljs/package.json").version, found.join(" "));
  process.exit(found.join(" ") === "\u6771\u4eac \u30c8\u30a6\u30ad\u30e7\u30a6" ? 0 : 1);
})();
'
