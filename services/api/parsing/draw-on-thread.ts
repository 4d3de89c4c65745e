import type { Parsing } from './open-parsing.ts';
import type { InputOf } from './parsers.ts';

type Options = { accountId: string; signal: AbortSignal; hold: (bytes: number) => void };

/** A PNG that a parsing thread draws. Throws what `Parsing.read` throws. */
export async function drawOnThread<Name extends 'picture' | 'logo'>(
  parsing: Parsing,
  { parser, input }: { parser: Name; input: InputOf<Name> },
  options: Options,
): Promise<Buffer> {
  const [png] = await Array.fromAsync(parsing.read(parser, input, { ...options, isStored: false }));
  if (png === undefined) throw new Error('nothing was drawn');
  const { buffer, byteOffset, byteLength } = png as Uint8Array<ArrayBuffer>;
  return Buffer.from(buffer, byteOffset, byteLength);
}

type Memory = { open: (accountId: string) => { grow: (bytes: number) => void; hold: () => () => void } };

/** A picture that other requests may wait for when the first client is gone. */
export async function drawForMany(
  { parsing, memory }: { parsing: Parsing; memory: Memory },
  accountId: string,
  input: InputOf<'picture'>,
): Promise<Buffer> {
  const share = memory.open(accountId);
  const release = share.hold();
  try {
    const options = { accountId, signal: new AbortController().signal, hold: share.grow };
    return await drawOnThread(parsing, { parser: 'picture', input }, options);
  } finally {
    release();
  }
}
