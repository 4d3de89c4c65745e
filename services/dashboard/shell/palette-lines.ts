import { joinList } from '#shared/contract/input/comma-list.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import type { IconName } from '../parts/icon.tsx';
import { modeIcons } from '../parts/icon.tsx';
import { wordOf } from '../parts/words/code-words.ts';
import { isNumber, pastedNumbers } from '../screens/shipments/pasted-numbers.ts';
import { carrierName } from '../screens/shipments/row-words.ts';
import type { ShipmentRow } from '../screens/shipments/shipment-row.ts';
import { type Command, matchingCommands } from './commands.ts';

export type Found = {
  /** The searched text. */
  text: string;
  /** Exact matches of a number come first. */
  rows: readonly ShipmentRow[];
  /** The number of exact matches. */
  exact: number;
};

const maxSearchChars = 100;

type Lines = {
  text: string;
  found: Found | undefined;
  isSearching: boolean;
  commands: readonly Command[];
  canWrite: boolean;
};

/** The lines of the palette for the typed text. Enter runs the first one. */
export function paletteLines({ text, found, isSearching, commands, canWrite }: Lines): Command[] {
  const typed = text.trim();
  const numbers = pastedNumbers(text);
  if (numbers.length > 0) return severalLines(numbers, canWrite);
  const matching = matchingCommands(commands, typed);
  if (typed.length < 3) return matching;
  const rows = found?.rows ?? [];
  const shipments = rows.map(shipmentLine);
  const search: Command = {
    key: 'search',
    group: 'Shipments',
    name: `Search all shipments for “${typed.slice(0, maxSearchChars)}”`,
    icon: 'search',
    go: { to: '/', search: { view: 'all', q: typed.slice(0, maxSearchChars) } },
  };
  const isUnknown = !isSearching && rows.length === 0 && isNumber(typed);
  const track = isUnknown && canWrite ? [trackLine(typed)] : [];
  // For a number, shipments come before commands that start alike.
  return isNumber(typed) ? [...shipments, ...track, search, ...matching] : [...matching, ...shipments, search];
}

function severalLines(numbers: readonly string[], canWrite: boolean): Command[] {
  return [
    {
      key: 'several',
      group: 'Shipments',
      name: `Show shipments with these ${numbers.length} numbers`,
      icon: 'search',
      go: { to: '/', search: { view: 'all', numbers: joinList(numbers) } },
    },
    ...(canWrite
      ? [
          {
            key: 'track-all',
            group: 'Track' as const,
            name: `Track these ${numbers.length} numbers`,
            icon: 'plus' as const,
            go: { to: '/add', search: { number: numbers.join('\n') } },
          },
        ]
      : []),
  ];
}

function shipmentLine(row: ShipmentRow): Command {
  return {
    key: row.id,
    group: 'Shipments',
    name: groupIdentifier(row.number.kind, row.number.value),
    icon: (modeIcons[row.mode] ?? 'shipments') as IconName,
    hint: [row.reference, carrierName(row.carrier), wordOf(row.status)].filter((part) => part !== null).join(' · '),
    go: { to: '/shipments/$shipmentId', params: { shipmentId: row.id } },
  };
}

function trackLine(number: string): Command {
  const [guess] = detectCarriers(number, null);
  const hint =
    guess === undefined
      ? 'not tracked yet'
      : `${guess.carrierName ?? wordOf(guess.transportMode)}, ${wordOf(guess.identifier).toLowerCase()}`;
  return {
    key: 'track-it',
    group: 'Track',
    name: `Track ${number}`,
    icon: 'plus',
    hint,
    go: { to: '/add', search: { number } },
  };
}
