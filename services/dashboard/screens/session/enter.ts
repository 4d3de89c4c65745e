/** Goes in with the session that was just made. A full load: what another person left in memory is not theirs to see. */
export function enter(to: string): void {
  window.location.assign(to);
}
