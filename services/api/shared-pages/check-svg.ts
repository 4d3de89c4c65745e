import { SaxesParser, type SaxesTagNS } from 'saxes';
import { escapeHtml } from '#shared/domain/words/safe-text.ts';

/** An SVG that is safe to draw, `width` × `height` units. */
export type Drawing = { svg: string; width: number; height: number };
type Refuse = (detail: string) => Error;
/** An element with what it weighs alone, and the ids of the elements that are drawn with it. */
type Node = { weight: number; isGradient: boolean; children: Node[]; references: string[] };
type Total = { weight: number; depth: number };

const svgNamespace = 'http://www.w3.org/2000/svg';
const maxElements = 2000;
/** With each copy counted. A copy of copies, or a mask within a mask, multiplies. */
const maxWeight = 5000;
const maxDepth = 50;
const bytesPerWeight = 100;
/**
 * Elements that draw shapes. Text needs fonts that we lack; filters and patterns cost without bound; the rest loads or
 * runs.
 */
const allowedElements = new Set(
  (
    'svg g defs symbol use path rect circle ellipse line polyline polygon linearGradient radialGradient stop clipPath ' +
    'mask title desc metadata style'
  ).split(' '),
);
const localReference = /url\(\s*['"]?#([^\s'"()]+)['"]?\s*\)/gi;

/** Throws what `refuse` makes of the reason: the SVG is broken, or would load, run or cost too much. */
export function checkSvg(bytes: Buffer, refuse: Refuse): Drawing {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const open: { node: Node; isStyle: boolean }[] = [];
  const ofId = new Map<string, Node[]>();
  let elements = 0;
  let root: { node: Node; drawing: Drawing } | null = null;
  const parser = new SaxesParser<{ xmlns: true }>({ xmlns: true });
  parser.on('doctype', () => {
    throw refuse('An SVG with a DOCTYPE is not accepted. Remove it.');
  });
  parser.on('processinginstruction', () => {
    throw refuse('An SVG with processing instructions is not accepted. Remove them.');
  });
  parser.on('error', () => {
    throw refuse('The SVG is not well-formed XML.');
  });
  const readText = (part: string) => {
    if (open.at(-1)?.isStyle === true) checkSheet(part, refuse);
  };
  parser.on('text', readText);
  parser.on('cdata', readText);
  parser.on('opentag', (tag) => {
    elements += 1;
    if (elements > maxElements) throw refuse(`An SVG of more than ${maxElements} elements is not accepted.`);
    if (open.length >= maxDepth) throw tooHeavy(refuse);
    // Editors add elements of their own, which nothing draws.
    const isSvg = tag.uri === svgNamespace;
    if (isSvg && !allowedElements.has(tag.local))
      throw refuse(`An SVG with <${tag.local.slice(0, 40)}> is not accepted. Convert it to paths, or send a PNG.`);
    const node = nodeOf(tag, refuse);
    open.at(-1)?.node.children.push(node);
    const id = tag.attributes.id?.value;
    if (id !== undefined) ofId.set(id, [...(ofId.get(id) ?? []), node]);
    if (root === null) {
      if (!isSvg || tag.local !== 'svg') throw refuse(`The root of an SVG is <svg xmlns="${svgNamespace}">.`);
      root = { node, drawing: drawingOf(tag, text.slice(parser.position), refuse) };
    }
    open.push({ node, isStyle: tag.local === 'style' });
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  if (root === null) throw refuse('The SVG is not well-formed XML.');
  const { node, drawing } = root as { node: Node; drawing: Drawing };
  totalOf(node, { ofId, totals: new Map(), refuse });
  return drawing;
}

/** References within the file only. */
function nodeOf(tag: SaxesTagNS, refuse: Refuse): Node {
  const node: Node = { weight: 1, isGradient: tag.local.endsWith('Gradient'), children: [], references: [] };
  for (const { local, value } of Object.values(tag.attributes)) {
    node.weight += value.length / bytesPerWeight;
    if (local === 'href') {
      if (!/^#\S+$/.test(value))
        throw refuse('An SVG that refers to other files is not accepted. Embed shapes as paths, or send a PNG.');
      node.references.push(value.slice(1));
    }
    if (local === 'style') checkStyle(value, refuse);
    else if (local === 'filter' || local === 'stroke-dasharray') checkStyle(`${local}:${value}`, refuse);
    node.references.push(...localIds(value, refuse));
  }
  return node;
}

/**
 * The check doesn't resolve the elements that a rule of a sheet selects, so that a mask by a rule could be a mask of
 * masks.
 */
function checkSheet(text: string, refuse: Refuse): void {
  checkStyle(text, refuse);
  localIds(text, refuse);
  if (/mask|clip-path/i.test(text))
    throw refuse('An SVG whose style sheet sets masks or clip paths is not accepted. Use attributes, or send a PNG.');
}

function checkStyle(text: string, refuse: Refuse): void {
  if (/@import|\\/i.test(text)) throw foreignStyle(refuse);
  const costly = /(filter|stroke-dasharray)\s*:(?!\s*none\b)/i.exec(text)?.[1];
  if (costly !== undefined) throw refuse(`An SVG with ${costly} is not accepted. Convert it to paths, or send a PNG.`);
}

function localIds(text: string, refuse: Refuse): string[] {
  const ids = [...text.matchAll(localReference)].map(([, id = '']) => id);
  if (ids.length !== (text.match(/url\(/gi) ?? []).length) throw foreignStyle(refuse);
  return ids;
}

type Weighing = { ofId: ReadonlyMap<string, Node[]>; totals: Map<Node, Total | null>; refuse: Refuse };

/** Of an element with all that is drawn for it. Null in `totals`: it is being weighed, so it contains itself. */
function totalOf(node: Node, weighing: Weighing): Total {
  const { ofId, totals, refuse } = weighing;
  const known = totals.get(node);
  if (known === null) throw refuse('An SVG with an element that contains itself is not accepted.');
  if (known !== undefined) return known;
  totals.set(node, null);
  const total = { weight: node.weight, depth: 0 };
  const referred = node.isGradient ? [] : node.references.flatMap((id) => ofId.get(id) ?? []);
  for (const part of [...node.children, ...referred.filter(({ isGradient }) => !isGradient)]) {
    const { weight, depth } = totalOf(part, weighing);
    total.weight += weight;
    total.depth = Math.max(total.depth, depth);
    if (total.weight > maxWeight) throw tooHeavy(refuse);
  }
  total.depth += 1;
  if (total.depth > maxDepth) throw tooHeavy(refuse);
  totals.set(node, total);
  return total;
}

/**
 * The file with a root whose size is that of its view box. A width and a height of another shape would decide how many
 * pixels are drawn.
 */
function drawingOf(tag: SaxesTagNS, rest: string, refuse: Refuse): Drawing {
  const { left, top, width, height } = boxOf(tag, refuse);
  const kept = Object.values(tag.attributes).filter(({ name }) => !/^(width|height|viewBox)$/.test(name));
  const attributes = kept.map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`).join('');
  const size = ` viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}"`;
  return { svg: `<${tag.name}${attributes}${size}${tag.isSelfClosing ? '/' : ''}>${rest}`, width, height };
}

function boxOf({ attributes }: SaxesTagNS, refuse: Refuse) {
  const { viewBox, width, height } = attributes;
  const sizes = [width, height].map((size) => /^\s*([\d.]+)(px)?\s*$/.exec(size?.value ?? '')?.[1]);
  const numbers = (viewBox === undefined ? [0, 0, ...sizes] : viewBox.value.trim().split(/[\s,]+/)).map(Number);
  const [left = 0, top = 0, wide = 0, high = 0] = numbers;
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || wide <= 0 || high <= 0)
    throw refuse('The SVG has no size: its viewBox, or width and height, is missing.');
  if (Math.max(Math.abs(left), Math.abs(top), wide, high) > 1e6 || Math.min(wide, high) < 1e-3)
    throw refuse('The viewBox of the SVG is too large or too small.');
  return { left, top, width: wide, height: high };
}

function tooHeavy(refuse: Refuse): Error {
  return refuse('The SVG is nested too deeply or has too many copies. Flatten it.');
}

function foreignStyle(refuse: Refuse): Error {
  return refuse('An SVG whose styles load other files is not accepted.');
}
