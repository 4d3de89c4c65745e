#!/bin/sh
# Guess: the readers of a workbook package agree about a cell, and a date cell in ISO 8601 (type `d` of ISO/IEC 29500) is
# the same wall clock in UTC as one with a serial number.
# Behaviour (exceljs 4.4.0, read-excel-file 9.3.17): for a Japanese text with a phonetic guide the loading reader of
# exceljs returns the text, and its streaming reader only the guide. Of the ISO date exceljs reads only the year, as a
# serial number of 1905. read-excel-file takes its clock for that of the process: 10:30 becomes 01:30 in Tokyo, where a
# serial number stays 10:30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0 read-excel-file@9.3.17 jszip@3.10.1
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
process.env.TZ = "Asia/Tokyo";
(async () => {
  const { Readable } = require("node:stream");
  const { Workbook, stream } = require("exceljs");
  const read = require("read-excel-file/node").default;
  const texts = "<si><t>\u6771\u4eac</t><rPh sb=\"0\" eb=\"2\"><t>\u30c8\u30a6\u30ad\u30e7\u30a6</t></rPh></si>";
  const cells = "<c r=\"A1\" t=\"d\" s=\"1\"><v>2026-11-28T10:30:00</v></c><c r=\"B1\" s=\"1\"><v>46354.4375</v></c>" +
    "<c r=\"C1\" t=\"s\"><v>0</v></c>";
  const file = await workbook({ texts, cells });
  const loaded = new Workbook();
  await loaded.xlsx.load(file);
  const loadedCell = (name) => loaded.worksheets[0].getCell(name).value;
  const found = [loadedCell("C1")];
  const options = { sharedStrings: "cache", worksheets: "emit", styles: "cache" };
  for await (const sheet of new stream.xlsx.WorkbookReader(Readable.from([file]), options))
    for await (const row of sheet) found.push(row.getCell(3).value);
  const clocks = (await read(file))[0].data[0].slice(0, 2).map((date) => date.toISOString().slice(11, 16));
  const shown = [...found, loadedCell("A1").toISOString().slice(0, 10), ...clocks].join(" ");
  console.log("exceljs", require("exceljs/package.json").version, "read-excel-file 9.3.17", shown);
  process.exit(shown === "\u6771\u4eac \u30c8\u30a6\u30ad\u30e7\u30a6 1905-07-18 01:30 10:30" ? 0 : 1);
})();
'
