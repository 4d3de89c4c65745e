import { LandfallError } from '#shared/domain/errors.ts';
import { checkSvg, type Drawing } from './check-svg.ts';
import { drawPng } from './draw.ts';

export type SentLogo = { mediaType: 'image/png' | 'image/svg+xml'; bytes: Uint8Array };

/** Twice the size in which a page shows it, for dense displays. */
const maxWidth = 400;
const maxHeight = 80;
const maxPixels = 4_000_000;
/** Longer ones would be a line. */
const maxRatio = 100;
/** A PNG is unpacked whole, and again as what is drawn. */
const bytesPerPixel = 8;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * An image as a PNG that we have drawn ourselves, so that nothing of the sent bytes reaches a browser. Throws LandfallError
 * `validation_failed` for what is no such image, or would load, run or cost too much. `hold` takes memory, in bytes.
 */
export async function readLogo(sent: SentLogo, hold: (bytes: number) => void = () => undefined): Promise<Buffer> {
  const bytes = Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.byteLength);
  const isPng = sent.mediaType === 'image/png';
  const { svg, width, height } = isPng ? readPng(bytes) : checkSvg(bytes, unreadable);
  if (Math.max(width / height, height / width) > maxRatio)
    throw unreadable(`The image is too long: at most ${maxRatio} times as wide as high, or as high as wide.`);
  hold(bytesPerPixel * (isPng ? width * height : maxWidth * maxHeight));
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

function unreadable(detail: string): LandfallError {
  return new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/data', code: 'invalid_image', detail }],
  });
}
