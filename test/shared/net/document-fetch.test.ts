import { afterAll, expect, it } from 'vitest';
import { AddressRefused, openAddressGuard } from '#shared/net/address-guard.ts';
import { openDocumentFetch } from '#shared/net/document-fetch.ts';

const addresses: Record<string, string[]> = {
  'private.example': ['10.0.0.1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
};
const guard = openAddressGuard({
  allowHttp: false,
  allowedNetworks: [],
  loopbackInTests: false,
  proxied: false,
  resolve: async (name) => addresses[name] ?? [],
});
const documents = openDocumentFetch(guard, { proxyUrl: null, version: 'test' });
afterAll(() => documents.close());

it.each([
  'https://private.example/c',
  'https://mixed.example/c',
  'https://metadata.example/c',
  'https://nowhere.example/c',
])('connects to no address that is not public: %s', async (url) => {
  const error = await documents.fetch(url).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).cause).toBeInstanceOf(AddressRefused);
});

it.each(['http://app.example/c', 'https://127.0.0.1/c', 'https://[::1]/c', 'https://0x7f.1/c', 'file:///etc/passwd'])(
  'resolves no name for %s',
  async (url) => {
    await expect(documents.fetch(url)).rejects.toThrow(/must begin with https|not a public address/);
  },
);
