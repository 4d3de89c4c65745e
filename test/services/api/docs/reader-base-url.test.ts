import { describe, expect, it } from 'vitest';
import { readerBaseUrl } from '#services/api/docs/reader-base-url.ts';

const at = (host: string, published: string, protocol: 'http' | 'https' = 'http') =>
  readerBaseUrl({ host, protocol }, published);

describe('the base URL on a page', () => {
  it('is the address of the request', () => {
    expect(at('10.0.0.7:8080', 'http://127.0.0.1:8080')).toBe('http://10.0.0.7:8080');
    expect(at('track.example', 'http://127.0.0.1:8080', 'https')).toBe('https://track.example');
    expect(at('[::1]:8080', 'http://127.0.0.1:8080')).toBe('http://[::1]:8080');
    expect(at('127.0.0.1:41234', 'http://127.0.0.1:0')).toBe('http://127.0.0.1:41234');
  });

  it('is the published address for the same host, which may be behind TLS that this process does not see', () => {
    expect(at('track.example', 'https://track.example')).toBe('https://track.example');
    expect(at('Track.Example:443', 'https://track.example/')).toBe('https://track.example');
    expect(at('track.example:8443', 'https://track.example')).toBe('http://track.example:8443');
  });

  it('is the published address for an invalid host', () => {
    for (const host of [
      '',
      'a"><script>',
      'user@evil.example',
      'evil.example/path',
      'a b',
      'x:99999999',
      'x:99999',
      '[zz]',
    ]) {
      expect(at(host, 'https://track.example')).toBe('https://track.example');
    }
  });
});
