import { describe, expect, it } from 'vitest';
import { dataTime, maxSilenceMs, pageFreshness } from '#services/dashboard/api/feed-state.ts';

const readAt = Date.parse('2026-04-15T08:00:00Z');
const connected = { readAt, isConnected: true };

describe('the freshness of a page', () => {
  it('is a function of the age of the last answer, although no request has failed', () => {
    expect(pageFreshness(connected, readAt + maxSilenceMs, true)).toBe('current');
    expect(pageFreshness(connected, readAt + maxSilenceMs + 1, true)).toBe('late');
  });

  it('names a failed request at once, and the missing network before it', () => {
    expect(pageFreshness({ ...connected, isConnected: false }, readAt, true)).toBe('unreachable');
    expect(pageFreshness({ ...connected, isConnected: false }, readAt, false)).toBe('offline');
    expect(pageFreshness({ readAt: 0, isConnected: true }, readAt, true)).toBe('unread');
  });
});

describe('the time that data is compared with', () => {
  it('stops at the last answer while Landfall does not answer', () => {
    const hourLater = readAt + 3_600_000;
    expect(dataTime(connected, hourLater)).toBe(readAt);
    expect(dataTime({ ...connected, isConnected: false }, readAt + 1000)).toBe(readAt);
    expect(dataTime(connected, readAt + 1000)).toBe(readAt + 1000);
    expect(dataTime({ readAt: 0, isConnected: true }, hourLater)).toBe(hourLater);
  });
});
