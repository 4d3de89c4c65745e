import { z } from 'zod';
import type { Change } from '#shared/domain/feed/change.ts';
import { toWireChange } from './change-wire.ts';

/** The data of a `feed.gap` event. The event's `id` is where the stream continues. */
export const wireGap = z.strictObject({
  after: z.int().meta({ description: 'The position that you continued from.', examples: [4711] }),
  next_after: z.int().meta({ description: 'Where the stream continues.', examples: [1200000] }),
});

/** Milliseconds after which a client reconnects, unless the server names others. */
const retryMs = 1000;

const encoder = new TextEncoder();

/**
 * The events of the stream as bytes (WHATWG HTML, 9.2 Server-sent events). An event without data only sets the position
 * that a client resumes from.
 */
export const streamFrames = {
  /** The first bytes. They show a client at once that nothing on the way withholds the stream. */
  start: (position: number): Uint8Array => encoder.encode(`retry: ${retryMs}\nid: ${position}\n\n`),
  change: (change: Change): Uint8Array =>
    frame({ id: change.sequence, event: change.type, data: toWireChange(change) }),
  gap: ({ after, nextAfter }: { after: number; nextAfter: number }): Uint8Array =>
    frame({
      id: nextAfter,
      event: 'feed.gap',
      data: { after, next_after: nextAfter } satisfies z.infer<typeof wireGap>,
    }),
  /** Keeps proxies from closing the connection. Null: the position is that of the last event. */
  heartbeat: (position: number | null): Uint8Array =>
    encoder.encode(`: heartbeat\n${position === null ? '' : `id: ${position}\n`}\n`),
  /** The last bytes of a server that stops. */
  end: (afterMs: number): Uint8Array => encoder.encode(`retry: ${afterMs}\n\n`),
} as const;

/** JSON has no line breaks of its own, so that each event has one line of data. */
function frame({ id, event, data }: { id: number; event: string; data: unknown }): Uint8Array {
  return encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
