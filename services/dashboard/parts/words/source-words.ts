const pushed = /^client:(.+)$/;

/** The name of the source that pushed an event or a statement; null where nobody pushed it. */
export function pushedBy(source: string): string | null {
  return pushed.exec(source)?.[1] ?? null;
}

/** Names the source: `acme-terminal`, `You`, `Test`, or the carrier. */
export function whoStates(source: string, carrier: string): string {
  return pushedBy(source) ?? (source === 'client' ? 'You' : source === 'test' ? 'Test' : carrier);
}
