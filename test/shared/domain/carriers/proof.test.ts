import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failedProof, proofFileName, proofMediaType, proofMediaTypes } from '#shared/domain/carriers/proof.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

it('recognizes a document by its first bytes alone', () => {
  const beginnings: [string, string | null][] = [
    ['\x89PNG\r\n\x1a\n…', 'image/png'],
    ['\xff\xd8\xff\xe1', 'image/jpeg'],
    ['GIF87a', 'image/gif'],
    ['%PDF-1.4\n', 'application/pdf'],
    ['', null],
    ['\x89PNG', null],
    [' %PDF-1.4', null],
    ['<svg xmlns="http://www.w3.org/2000/svg">', null],
    ['<html>GIF89a', null],
    ['RIFF....WEBP', null],
    ['PK\x03\x04', null],
  ];
  expect(beginnings.map(([text]) => [text, proofMediaType(bytes(text))])).toEqual(beginnings);
});

it('accepts no document that a browser would run', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(proofMediaType(bytes(`<${text}`))).toBeNull();
      expect(proofMediaType(bytes(`#!${text}`))).toBeNull();
    }),
  );
});

it('names files so that the name needs no quoting in a header', () => {
  for (const type of proofMediaTypes)
    expect(proofFileName('shp_01kahf3m2xfr5tq4d8z9w6c7yb', 'signature_12', type)).toMatch(
      /^[\w-]+\.(png|jpg|gif|pdf)$/,
    );
});

it('bounds the carrier’s words about a document that it does not supply', () => {
  expect(failedProof('unavailable', 'x'.repeat(5000)).detail.length).toBeLessThanOrEqual(300);
});
