import { describe, expect, it } from 'vitest';
import { readLogo } from '#services/api/shared-pages/read-logo.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
const svgOf = (inner: string, root = 'viewBox="0 0 5 1"') =>
  `<svg xmlns="${svgNamespace}" xmlns:x="${svgNamespace}" ${root}>${inner}</svg>`;
const draw = (svg: string) => readLogo({ mediaType: 'image/svg+xml', bytes: Buffer.from(svg) });
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

/** Each level holds the next one twice, so that 40 levels are drawn 2^40 times. */
const levels = (level: (index: number) => string) => Array.from({ length: 40 }, (_, index) => level(index)).join('');
const masks = levels(
  (index) => `<mask id="m${index}">${`<rect width="5" height="1" mask="url(#m${index + 1})"/>`.repeat(2)}</mask>`,
);
const clips = levels(
  (index) =>
    `<clipPath id="m${index}">${`<path d="M0 0H5V1Z" style="clip-path:url(#m${index + 1})"/>`.repeat(2)}</clipPath>`,
);
const copies = levels((index) => `<g id="m${index}">${`<x:use href="#m${index + 1}"/>`.repeat(2)}</g>`);

describe('a logo', () => {
  it.each([
    ['a byte order mark and a declaration', `\ufeff<?xml version="1.0"?>\r\n${svgOf('<path d="M0 0H5V1Z"/>')}`],
    [
      'a size of another shape than its view box',
      svgOf('<path d="M0 0H5V1Z"/>', 'viewBox="0 0 5 1" width="1" height="99"'),
    ],
    ['a size that a style sheet sets', svgOf('<style>svg{width:1px;height:99px}</style><path d="M0 0H5V1Z"/>')],
    ['a prefix of its own', `<x:svg xmlns:x="${svgNamespace}" viewBox="0 0 5 1"><x:path d="M0 0H5V1Z"/></x:svg>`],
    ['a size in place of a view box', svgOf('<path d="M0 0H5V1Z"/>', 'width="5px" height="1"')],
    [
      'the elements of an editor, a gradient, a mask and copies',
      svgOf(
        '<i:view xmlns:i="urn:editor"/><defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>' +
          '<path id="p" d="M0 0H5V1Z"/><clipPath id="c"><use href="#p"/></clipPath></defs>' +
          '<g clip-path="url(#c)"><use href="#p" style="fill:url(\'#a\')"/></g>',
      ),
    ],
  ])('is drawn by its view box with %s', async (_what, svg) => {
    expect(sizeOf(await draw(svg))).toEqual([400, 80]);
  });

  it.each([
    ['a file behind a prefix', svgOf('<x:image href="#a"/>')],
    ['a filter behind a prefix', svgOf('<x:filter id="f"/>')],
    ['a filter function', svgOf('<g style="filter: blur(9px)"/>')],
    ['masks of masks', svgOf(`${masks}<path d="M0 0H5V1Z" mask="url(#m0)"/>`)],
    ['clip paths of clip paths', svgOf(`${clips}<path d="M0 0H5V1Z" clip-path="url(#m0)"/>`)],
    ['copies of copies', svgOf(copies)],
    ['a mask by a style sheet', svgOf('<style><![CDATA[.a{mask:url(#b)}]]></style>')],
    ['a copy of itself', svgOf('<g id="a"><use href="#a"/></g>')],
    ['endless dashes', svgOf('<path d="M0 0H5" stroke-dasharray="0.0001"/>')],
    ['an escape in a style', svgOf('<rect style="fill:u\\72l(http://evil.test)"/>')],
    ['a negative view box', svgOf('', 'viewBox="0 0 -5 1"')],
    ['a view box of a line', svgOf('', 'viewBox="0 0 5000 1"')],
    ['a view box beyond all numbers', svgOf('', 'viewBox="0 0 1e308 1e308"')],
    ['another root', '<g xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 1"/>'],
    ['nothing', ''],
  ])('is refused with %s', async (_what, svg) => {
    await expect(draw(svg)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
