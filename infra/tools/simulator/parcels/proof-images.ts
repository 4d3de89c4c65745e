import { crc32, deflateSync } from 'node:zlib';
import { createRandom } from '../voyages/random.ts';

type Pixel = readonly [red: number, green: number, blue: number];

const paper: Pixel = [255, 255, 255];
const ink: Pixel = [20, 30, 90];

/** The signature for a number as a PNG of less than 2 KB. The same number gives the same bytes. */
export function signaturePng(number: string): Buffer {
  const [width, height] = [200, 60];
  const random = createRandom('signature', number);
  const waves = Array.from({ length: 4 }, () => ({ length: random.between(9, 60), at: random.between(0, 6.3) }));
  const lineAt = (x: number): number =>
    height / 2 + waves.reduce((sum, wave) => sum + 5 * Math.sin(x / wave.length + wave.at), 0);
  return png(width, height, (x, y) => (x > 10 && x < 190 && Math.abs(y - lineAt(x)) < 1.6 ? ink : paper));
}

/** A photo of a parcel before a door, as a PNG of a few KB. */
export function photoPng(number: string): Buffer {
  const [width, height] = [160, 120];
  const random = createRandom('photo', number);
  const door: Pixel = [random.whole(40, 160), random.whole(40, 120), random.whole(40, 120)];
  const left = random.whole(20, 80);
  const size = random.whole(25, 50);
  return png(width, height, (x, y) => {
    if (x >= left && x < left + size && y >= 112 - size * 0.7 && y < 112) return [176, 132, 84];
    if (x > 45 && x < 115 && y > 8 && y < 105) return door;
    return y < 105 ? [214, 206, 190] : [140, 140, 138];
  });
}

/** One page with these lines, as a PDF. */
export function proofPdf(lines: readonly string[]): Buffer {
  const escaped = lines.map((line) => line.replace(/[^ -~]/g, '?').replace(/[\\()]/g, (sign) => `\\${sign}`));
  const text = `BT /F1 14 Tf 60 780 Td 22 TL ${escaped.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + end, 'latin1');
}

function png(width: number, height: number, colorAt: (x: number, y: number) => Pixel): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows.set(colorAt(x, y), y * (1 + width * 3) + 1 + x * 3);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits per channel, red, green and blue.
  head.set([8, 2, 0, 0, 0], 8);
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
