/** An event of the stream as it arrives. Null: it has no such field. */
export type StreamEvent = { id: number | null; event: string | null; data: string | null; retryMs: number | null };

/**
 * Reads a stream of server-sent events, as this API writes it: each call returns the events that its chunk completes, and
 * keeps the rest for the next one. Comments are events without fields.
 */
export function createStreamReader(): (chunk: Uint8Array) => StreamEvent[] {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(readBlock);
  };
}

function readBlock(block: string): StreamEvent {
  const fields = new Map(block.split('\n').map(fieldOf));
  const numberOf = (name: string) => (fields.has(name) ? Number(fields.get(name)) : null);
  return {
    id: numberOf('id'),
    event: fields.get('event') ?? null,
    data: fields.get('data') ?? null,
    retryMs: numberOf('retry'),
  };
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(': ');
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)];
}
