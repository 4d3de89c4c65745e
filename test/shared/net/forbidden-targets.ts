/** Addresses that no client may reach, each with what it would open. */
export const forbiddenV4 = {
  '0.0.0.0': 'unspecified',
  '0.1.2.3': 'this network',
  '10.0.0.1': 'private',
  '10.255.255.255': 'private, the last',
  '100.64.0.1': 'carrier-grade NAT',
  '100.100.100.200': 'metadata of Alibaba',
  '100.127.255.254': 'carrier-grade NAT, the last',
  '127.0.0.1': 'loopback',
  '127.8.8.8': 'loopback, another',
  '168.63.129.16': 'metadata of Azure',
  '169.254.0.1': 'link-local',
  '169.254.169.254': 'metadata',
  '169.254.170.2': 'metadata of containers',
  '172.16.0.1': 'private',
  '172.31.255.254': 'private, the last',
  '192.0.0.192': 'metadata of Oracle',
  '192.0.2.1': 'documentation',
  '192.88.99.1': '6to4 relay',
  '192.168.0.1': 'private',
  '192.168.255.254': 'private, the last',
  '198.18.0.1': 'benchmark',
  '198.19.255.254': 'benchmark, the last',
  '198.51.100.7': 'documentation',
  '203.0.113.7': 'documentation',
  '224.0.0.1': 'multicast',
  '239.255.255.250': 'multicast',
  '240.0.0.1': 'reserved',
  '255.255.255.255': 'broadcast',
};

export const forbiddenV6 = {
  '::': 'unspecified',
  '::1': 'loopback',
  '100::1': 'discard',
  '2001::1': 'Teredo',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2': 'Teredo of a private address',
  '2001:2::1': 'benchmark',
  '2001:db8::1': 'documentation',
  '2001:10::1': 'ORCHID',
  '2002:7f00:1::': '6to4 of loopback',
  '3fff::1': 'documentation',
  '5f00::1': 'segment routing',
  '64:ff9b::7f00:1': 'NAT64 of loopback',
  '64:ff9b::808:808': 'NAT64 of a public address',
  '64:ff9b:1::a00:1': 'local NAT64',
  '::ffff:7f00:1': 'mapped loopback',
  '::ffff:0:7f00:1': 'translated loopback',
  '::7f00:1': 'compatible loopback',
  'fc00::1': 'unique local',
  'fd00:ec2::254': 'metadata of AWS',
  'fe80::1': 'link-local',
  'febf::1': 'link-local, the last',
  'fec0::1': 'site-local',
  'ff02::1': 'multicast',
};

/** Spellings of an IPv4 address that a URL parser, a resolver or a network takes for the same. */
export function spellingsOf(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = number.toString(16).padStart(8, '0');
  const [high, low] = [hex.slice(0, 4), hex.slice(4)];
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex}`,
    `0X${hex.toUpperCase()}`,
    `0${number.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::]`,
    `public.example@${address}`,
    `public.example:443@${address}`,
  ];
}

/** The long and the upper-case form as well. */
export function spellingsOfV6(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array(8 - before.length - after.length).fill('0');
  const all = [...before, ...zeros, ...after];
  return [address, all.join(':'), all.map((part) => part.toUpperCase().padStart(4, '0')).join(':')].map(
    (spelling) => `[${spelling}]`,
  );
}

/** Names and forms that no address belongs to. */
export const forbiddenHosts = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'loc%61lhost',
  'api.localhost',
  'a.b.localhost.',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  'public.example@localhost',
  '[fe80::1%25eth0]',
  '[fe80::1%eth0]',
  '[v1.fe80::1]',
  '127.0.0.1\\@public.example',
  '127.1',
  '0',
  '0x7f.1',
  '017700000001',
  '2130706433',
];
