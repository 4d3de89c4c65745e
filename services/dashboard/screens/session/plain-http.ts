/** Whether others on the way can read along: http, except from the machine itself. */
export function isPlainHttp({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'http:' && hostname !== 'localhost' && hostname !== '[::1]' && !/^127(\.\d+){3}$/.test(hostname);
}
