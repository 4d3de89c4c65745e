import { foldName } from '#shared/domain/fold-text.ts';
import { airports } from './airports.ts';
import { checkedPorts } from './checked-ports.ts';
import { listedPorts } from './listed-ports.ts';
import { nameGroups } from './place-names.ts';

/** A place under one of its names: its codes (UN/LOCODE, IATA), and its other names, in the form of `foldName`. */
export type CodedNames = { codes: readonly string[]; names: readonly string[] };

/** Shorter names are parts of others: `la` of La Spezia, `rio` of Rio Grande. Names in other scripts are short. */
const minNameLength = 4;

let codesByName: Map<string, Set<string>> | null = null;

/** The codes (UN/LOCODE, IATA) of the places whose own name this is, in the form of `foldName`. */
export function codesNamed(name: string): readonly string[] {
  codesByName ??= indexNames();
  return [...(codesByName.get(name) ?? [])];
}

/** The known places of exactly this name, in the form of `foldName`. Null: none. */
export function findNamedPlaces(name: string): CodedNames | null {
  const groups = nameGroups(name);
  const codes = new Set([...codesNamed(name), ...groups.flatMap((group) => group.codes)]);
  if (codes.size === 0) return null;
  const names = new Set([name, ...groups.flatMap((group) => group.names)]);
  return { codes: [...codes], names: [...names].filter(isDistinctive) };
}

/** True when a name is specific enough to be searched for in other names. */
export function isDistinctive(name: string): boolean {
  return name.length >= minNameLength || /[^ -~]/.test(name);
}

function indexNames(): Map<string, Set<string>> {
  const index = new Map<string, Set<string>>();
  const add = (name: string, code: string) => {
    if (name !== '') index.set(name, (index.get(name) ?? new Set()).add(code));
  };
  for (const [code, { name }] of checkedPorts) for (const form of formsOf(name)) add(form, code);
  for (const [code, { name }] of listedPorts())
    if (!checkedPorts.has(code)) for (const form of formsOf(name)) add(form, code);
  for (const { name, iata, unlocode } of airports)
    for (const form of formsOf(name)) for (const code of [iata, unlocode]) add(form, code);
  return index;
}

/** `Chennai (ex Madras)` is Chennai and Madras, `Medan, Sumatra` Medan, `Hakata/Fukuoka` both, `Chiwan Port` Chiwan. */
function formsOf(name: string): Set<string> {
  const parts = name.split(/[,(/)]/).map((part) => foldName(part));
  const beforeComma = foldName(name.split(',')[0] ?? '');
  const plain = [foldName(name), beforeComma, ...(name.includes(',') ? [] : parts)];
  return new Set(plain.map((form) => form.replace(/^ex /, '').replace(/ (port|pt)$/, '')));
}
