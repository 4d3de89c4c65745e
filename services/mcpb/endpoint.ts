/** The MCP endpoint of the address that somebody typed: the one of their dashboard, or that of the endpoint itself. */
export function endpointOf(address: string): URL {
  const text = address.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new Error(`The address must begin with https:// or http://, such as https://track.example.com. Got: ${text}`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw new Error('The address must not contain a user or a password.');
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1(?:\/mcp)?$/, '');
  return new URL(`${path}/v1/mcp`, url.origin);
}

/** The key as it was pasted: with spaces around it, or with the `Bearer` of a header. */
export function keyOf(pasted: string): string {
  const key = pasted.trim().replace(/^Bearer\s+/i, '');
  if (key === '') throw new Error('The API key is missing. Enter it in the settings of the extension.');
  return key;
}

/** True when the key crosses a network unencrypted. */
export function sendsKeyInClear({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
