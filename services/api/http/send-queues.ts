import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { endianness } from 'node:os';

/** Bytes of each connection that the kernel holds and its client has not taken, by `connectionKey`. */
export type SendQueues = ReadonlyMap<string, number>;

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Reads how much the kernel holds for each connection. Node can't see it: a response is finished for Node once the
 * kernel has all of it. Null where the system doesn't report it: elsewhere than on Linux.
 */
export async function readSendQueues(): Promise<SendQueues | null> {
  if (endianness() !== 'LE') return null;
  const read = await Promise.all(tables.map((table) => readFile(table, 'latin1').catch(() => null)));
  const known = read.filter((text) => text !== null);
  return known.length === 0 ? null : new Map(known.flatMap(queuesIn));
}

/** ` 1: 0100007F:B55D 0100007F:8642 01 0039DC00:00000000 …`: local address, remote one, state, send and receive queue. */
const row = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/gm;

function queuesIn(table: string): [string, number][] {
  const queues: [string, number][] = [];
  for (const [, port, remote, queue] of table.matchAll(row))
    if (queue !== '00000000') queues.push([`${port} ${remote}`, Number.parseInt(queue ?? '', 16)]);
  return queues;
}

/** The key of a connection in `SendQueues`. Null: it is closed. */
export function connectionKey({ localPort, remoteAddress, remotePort }: Socket): string | null {
  if (localPort === undefined || remoteAddress === undefined || remotePort === undefined) return null;
  return `${hex(localPort, 4)} ${addressWords(remoteAddress)}:${hex(remotePort, 4)}`;
}

/** An address as the kernel prints it: words of 32 bits, each in the machine's byte order. */
function addressWords(address: string): string {
  if (isIPv4(address)) return wordOf(address.split('.').map(Number));
  const [, prefix = '', mapped] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  if (mapped !== undefined) return `${wordsOf(`${prefix}0:0`).slice(0, 24)}${wordOf(mapped.split('.').map(Number))}`;
  return wordsOf(address.replace(/%.*$/, ''));
}

function wordsOf(ipv6: string): string {
  const [head = '', tail] = ipv6.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const bytes = [...left, ...zeros, ...right]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff]);
  return [0, 4, 8, 12].map((start) => wordOf(bytes.slice(start, start + 4))).join('');
}

function wordOf(bytes: readonly number[]): string {
  return bytes
    .toReversed()
    .map((byte) => hex(byte, 2))
    .join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
