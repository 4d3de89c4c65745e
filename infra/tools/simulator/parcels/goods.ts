import { createRandom, numberOf, type Random } from '../voyages/random.ts';
import type { ParcelCarrier } from './networks.ts';

/** A piece of a shipment: weight in kg, dimensions in cm. */
export type Piece = { number: string; weightKg: number; lengthCm: number; widthCm: number; heightCm: number };

/** Facts about a parcel besides its journey. */
export type Goods = {
  /** The first piece has the shipment's own number, except at DHL, which numbers all pieces apart. */
  pieces: [Piece, ...Piece[]];
  /** The recipient's name, and the person who signs instead. */
  recipient: string;
  neighbour: string;
  locker: { id: string; name: string; street: string };
  /** The number under which it is sent back. */
  returnNumber: string;
};

const maxPieces = 4;
const names = ['MILLER', 'SCHMIDT', 'GARCIA', 'KOWALSKI', 'NAKAMURA', 'DUBOIS', 'ROSSI', 'JANSEN'] as const;
const streets = ['Station Street', 'Market Square', 'Harbour Road', 'Mill Lane'] as const;

/** The goods of a parcel. They have random choices of their own, so that they don't change the journey. */
export function goodsOf(
  key: string,
  { carrier, number, pieces }: { carrier: ParcelCarrier; number: string; pieces: 'one' | 'several' },
): Goods {
  const random = createRandom(key, 'goods');
  const count = pieces === 'several' ? random.whole(2, maxPieces) : 1;
  const name = (): string => `${'ABCDEFGHJKLMNPRSTW'[random.whole(0, 17)]}. ${random.pick(names)}`;
  const first = pieceOf(random, ownNumber(carrier, number, 0));
  const others = Array.from({ length: count - 1 }, (_, index) =>
    pieceOf(random, ownNumber(carrier, number, index + 1)),
  );
  return {
    pieces: [first, ...others],
    recipient: name(),
    neighbour: name(),
    locker: {
      id: `${random.whole(100, 999)}`,
      name: `Parcel Locker ${random.whole(100, 999)}`,
      street: `${random.whole(1, 80)} ${random.pick(streets)}`,
    },
    returnNumber: nextNumber(number, 500),
  };
}

function pieceOf(random: Random, number: string): Piece {
  return {
    number,
    weightKg: random.whole(2, 240) / 10,
    lengthCm: random.whole(20, 60),
    widthCm: random.whole(15, 40),
    heightCm: random.whole(5, 35),
  };
}

function ownNumber(carrier: ParcelCarrier, number: string, index: number): string {
  if (carrier === 'dhl')
    return `JD0146${String(numberOf(10 ** 13, 'dhl piece', number) * 10 + index).padStart(14, '0')}`;
  return index === 0 ? number : nextNumber(number, index);
}

/** The numbers of parcels of which this number can be a later piece. */
export function firstNumbersOf(number: string): string[] {
  return Array.from({ length: maxPieces - 1 }, (_, index) => nextNumber(number, -1 - index));
}

/** The number that comes `step` later in the carrier's count: its last digits, of the same length. */
function nextNumber(number: string, step: number): string {
  const digits = /\d{1,9}$/.exec(number)?.[0] ?? '';
  const size = 10 ** digits.length;
  const next = (Number(digits) + step + size) % size;
  return number.slice(0, number.length - digits.length) + String(next).padStart(digits.length, '0');
}
