import type { ProofKind } from '#shared/domain/events/event.ts';

/** The document of a test shipment: a drawn line, a door with a parcel, or a page that says what it is. */
export function testProof(kind: ProofKind): Uint8Array {
  if (kind === 'document') return Buffer.from(page('Proof of delivery of a test shipment'), 'latin1');
  return Buffer.from(kind === 'signature' ? signature : photo, 'base64');
}

/** A PNG of 240 × 80 pixels. */
const signature =
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAABQAQAAAAAPMsXRAAABpklEQVR42u3VsWrDMBAAUIcu3RLo0kCpP6JLCqX6qC4eSmTwYDp56NQpv5K2UJEp' +
  'v5DgIatdLzYIqZLuZCxVMaFbISagyC++k86SEsnRKzrzmX2usPce5h2BXhrmrxh6lzTIxdQ04oaEOQcmGGXv8oqZhtMCx0AdjktkjBIRlyFaKyGK' +
  'eIwdJhWyjTJ1uTXJammj5EMWhCPXWETmMBVmLI16Dn5WuiynYiLVTUhS9hO3nFeRvs2Ra4/XaULlQUIShkmQ1TO7CyUMufBYfWIR6/HGwDoJGbAu' +
  'ndxqMd9UOuFxoTlHJgEu9Kgk12ACOMw0qynzZ+pyi7zSBUsTzcUvPuhht8soWUiXOwm1Usxnt4uZCWVZUMtEL5Tl/cR0PiwT4MYUIpPzzHDqcQ0V' +
  'lXN4p5HN3TOszzdYEdeWY+DuG/jFTGa56BneblsNmD/0vGoc3pglMEs85riNN/CmueUCuRlu8ozb5bBFfnLOgGO895gBiyN8KE/iuzCXn6ewRK49' +
  'btgo18hXYe6C3G+iFs+j1z8xx3Mog6bzWIyzvdj4cc/Of3P/gH8AdYvfhD2iIZ8AAAAASUVORK5CYII=';

/** A PNG of 160 × 120 pixels. */
const photo =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAAB4BAMAAACHjORcAAAAD1BMVEXW3uRcQDCoeEg8PEB4lm4nQEwEAAAAW0lEQVR42u3TsRGAMAwEQbfgFmjh' +
  'W3D/NZFAxEBkz4DYixRt9GpNknRbfwgIBAKBQCAQCAQCgZXABFgf9Cn/Arej5LyAQCBwBZhL5UGzAQKBLwDH5IBAIPCj4A4/BE1HOpq8YwAAAABJ' +
  'RU5ErkJggg==';

/** A PDF file of one page with a line of text, which has no parentheses. */
function page(line: string): string {
  const content = `BT /F1 14 Tf 40 90 Td (${line}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 340 180]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return (
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}` +
    `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  );
}
