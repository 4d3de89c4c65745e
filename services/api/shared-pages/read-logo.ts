import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { LandfallError } from '#shared/domain/errors.ts';
import { drawPng } from './draw.ts';

export type SentLogo = { mediaType: 'image/png' | 'image/svg+xml'; bytes: Buffer };

/** Twice the size in which a page shows it, for dense displays. */
const maxWidth = 400;
const maxHeight = 80;
const maxPixels = 4_000_000;
const maxElements = 2000;
const maxUses = 50;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** What draws shapes. Text needs fonts that we lack; filters and patterns cost without bound; the rest loads or runs. */
const allowedElements = new Set(
  (
    'svg g defs symbol use path rect circle ellipse line polyline polygon linearGradient radialGradient stop clipPath ' +
    'mask title desc metadata style'
  ).split(' '),
);

/**
 * An image as a PNG that we have drawn ourselves, so that nothing of the sent bytes reaches a browser. Throws LandfallError
 * `validation_failed` for what is no such image, or would load, run or cost too much.
 */
export async function readLogo({ mediaType, bytes }: SentLogo): Promise<Buffer> {
  const { svg, width, height } = mediaType === 'image/png' ? readPng(bytes) : readSvg(bytes);
  const isWide = width / height > maxWidth / maxHeight;
  const fitTo = isWide
    ? ({ mode: 'width', value: maxWidth } as const)
    : ({ mode: 'height', value: maxHeight } as const);
  try {
    return await drawPng(svg, fitTo);
  } catch {
    throw unreadable('The image can’t be read. Send a PNG or an SVG.');
  }
}

type Drawing = { svg: string; width: number; height: number };

/** An SVG around the PNG. Its size is checked before anything is unpacked. */
function readPng(bytes: Buffer): Drawing {
  const isPng =
    bytes.length > 33 &&
    bytes.subarray(0, 8).equals(pngSignature) &&
    bytes.toString('latin1', 12, 16) === 'IHDR' &&
    bytes.toString('latin1', bytes.length - 8, bytes.length - 4) === 'IEND';
  if (!isPng) throw unreadable('The image is not a PNG.');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width === 0 || height === 0 || width * height > maxPixels)
    throw unreadable(`The image has ${width} × ${height} pixels. Send one of at most 4 million.`);
  const href = `data:image/png;base64,${bytes.toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${href}"/></svg>`;
  return { svg, width, height };
}

function readSvg(bytes: Buffer): Drawing {
  const svg = bytes.toString('utf8');
  let elements = 0;
  let uses = 0;
  let depth = 0;
  let inDefinition = 0;
  let size: { width: number; height: number } | null = null;
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw unreadable('An SVG with a DOCTYPE is not accepted. Remove it.');
  });
  parser.on('processinginstruction', () => {
    throw unreadable('An SVG with processing instructions is not accepted. Remove them.');
  });
  parser.on('error', () => {
    throw unreadable('The SVG is not well-formed XML.');
  });
  parser.on('text', refuseStyle);
  parser.on('cdata', refuseStyle);
  parser.on('opentag', (tag) => {
    elements += 1;
    depth += 1;
    const name = tag.name.replace(/^svg:/, '');
    if (elements > maxElements || depth > 50)
      throw unreadable(`An SVG of more than ${maxElements} elements is not accepted.`);
    // Editors add elements of their own, which nothing draws.
    if (!tag.name.includes(':') && !allowedElements.has(name))
      throw unreadable(`An SVG with <${name.slice(0, 40)}> is not accepted. Convert it to paths, or send a PNG.`);
    if (name === 'use') {
      uses += 1;
      // A copy of copies multiplies.
      if (uses > maxUses || inDefinition > 0)
        throw unreadable('An SVG with nested or many <use> is not accepted. Flatten it.');
    }
    if (name === 'defs' || name === 'symbol') inDefinition += 1;
    refuseReferences(tag);
    if (elements === 1) size = sizeOf(tag);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (name === 'defs' || name === 'symbol') inDefinition -= 1;
  });
  parser.write(svg).close();
  if (size === null) throw unreadable('The SVG has no size: its viewBox, or width and height, is missing.');
  return { svg, ...(size as { width: number; height: number }) };
}

/** References within the file only. */
function refuseReferences({ attributes }: SaxesTagPlain): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (/(^|:)href$/.test(name) && !/^#[\w.-]+$/.test(value))
      throw unreadable('An SVG that refers to other files is not accepted. Embed shapes as paths, or send a PNG.');
    if (name === 'style') refuseStyle(value);
    else if (/url\(/i.test(value) && !/^url\(\s*['"]?#[\w.-]+['"]?\s*\)/i.test(value.trim())) throw foreignStyle();
  }
}

function refuseStyle(text: string): void {
  const references = text.match(/url\([^)]*\)?/gi) ?? [];
  if (/@import/i.test(text) || references.some((one) => !/^url\(\s*['"]?#/i.test(one))) throw foreignStyle();
}

function sizeOf({ attributes }: SaxesTagPlain): { width: number; height: number } | null {
  const box = /^\s*-?[\d.e+-]+[\s,]+-?[\d.e+-]+[\s,]+([\d.e+]+)[\s,]+([\d.e+]+)\s*$/i.exec(attributes.viewBox ?? '');
  const [width, height] =
    box === null
      ? [Number.parseFloat(attributes.width ?? ''), Number.parseFloat(attributes.height ?? '')]
      : [Number(box[1]), Number(box[2])];
  return Number.isFinite(width) && Number.isFinite(height) && width > 0 && height > 0 ? { width, height } : null;
}

function foreignStyle(): LandfallError {
  return unreadable('An SVG whose styles load other files is not accepted.');
}

function unreadable(detail: string): LandfallError {
  return new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/data', code: 'invalid_image', detail }],
  });
}
