import { expect, it } from 'vitest';
import { parseShareSettingsBody } from '#shared/contract/shares/share-settings-wire.ts';

it('accepts the origins of sites', () => {
  const origins = ['https://www.example.com', 'http://intranet:8080', 'https://xn--bcher-kva.example/'];
  expect(parseShareSettingsBody({ embed_origins: origins })).toEqual({
    embedOrigins: ['https://www.example.com', 'http://intranet:8080', 'https://xn--bcher-kva.example'],
  });
});

it.each([
  'https://a;script-src',
  'https://a,default-src',
  'https://*',
  'https://*.example.com',
  "https://'self'",
  'https://example.com/page',
  'https://user@example.com',
  'data:text/html,x',
  'null',
])('refuses %s, which would change the policy of a page', (origin) => {
  expect(() => parseShareSettingsBody({ embed_origins: [origin] })).toThrow();
});

it.each(['https:foo', 'http://example.com', 'javascript:alert(1)', 'https://', 'mailto:'])(
  'refuses %s as the address of support',
  (address) => {
    expect(() => parseShareSettingsBody({ support_url: address })).toThrow();
  },
);

it.each(['https://example.com/help', 'mailto:help@example.com'])('accepts %s as the address of support', (address) => {
  expect(parseShareSettingsBody({ support_url: address })).toEqual({ supportUrl: address });
});
