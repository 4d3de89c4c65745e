import { expect, it } from 'vitest';
import { endpointOf, keyOf, sendsKeyInClear } from '#services/mcpb/endpoint.ts';

it.each([
  'https://track.example',
  ' https://track.example/ ',
  'https://track.example/v1',
  'https://track.example/v1/mcp',
  'https://track.example/v1/mcp/?x=1#y',
])('finds the endpoint of the address %s', (typed) => {
  expect(endpointOf(typed).href).toBe('https://track.example/v1/mcp');
});

it('keeps a path in front of the endpoint', () => {
  expect(endpointOf('https://example.com/landfall/').href).toBe('https://example.com/landfall/v1/mcp');
});

it.each(['', 'track.example', 'ftp://track.example', 'https://', 'https://user:secret@track.example'])(
  'refuses the address %s and explains the required form',
  (typed) => {
    expect(() => endpointOf(typed)).toThrow(/^The address must /);
  },
);

it('accepts a key as people paste it, with spaces and quotes', () => {
  expect(keyOf(' svc_live_x\n')).toBe('svc_live_x');
  expect(keyOf('Bearer svc_live_x')).toBe('svc_live_x');
  expect(() => keyOf(' ')).toThrow('The API key is missing');
});

it.each([
  ['http://track.example', true],
  ['https://track.example', false],
  ['http://127.0.0.1:8080', false],
  ['http://[::1]:8080', false],
])('detects whether a key crosses the network unencrypted: %s %s', (address, isClear) => {
  expect(sendsKeyInClear(endpointOf(address))).toBe(isClear);
});
