/** The bytes of a text in an encoding that `TextDecoder` knows. Throws if the encoding doesn't have one of its characters. */
export function encodeText(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) bytes.set(decoder.decode(new Uint8Array([byte])), byte);
  return new Uint8Array(
    [...text].map((character) => {
      const byte = bytes.get(character);
      if (byte === undefined) throw new Error(`${encoding} doesn't have ${character}`);
      return byte;
    }),
  );
}
