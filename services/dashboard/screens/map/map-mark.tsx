import { memo } from 'react';
import type { SpotKind } from '#shared/domain/lists/map-places.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import type { Circle } from './circles.ts';

/** Edge of a circle, by the source of its position. */
export const kindClasses: Record<SpotKind, string> = {
  place: 'border-[1.5px] bg-sel',
  approximate: 'border-[2.5px] border-dotted bg-sel',
  reported: 'border-[1.5px] bg-sel outline-[1.5px] outline-accent outline-offset-[1.5px] outline-solid',
  estimated: 'border-[1.5px] border-dashed bg-sea',
};

type Props = {
  circle: Circle;
  isChosen: boolean;
  choose: (circle: Circle | null) => void;
  /** Moves the map to it. */
  reveal: (circle: Circle) => void;
};

/** The circle of a place. `--k`, `--x` and `--y` of the list around it are the view: circles move without React. */
export const MapMark = memo(function MapMark({ circle, isChosen, choose, reveal }: Props) {
  const { x, y, radius, count, kind, late } = circle;
  const label = markWords(circle);
  const shift = (axis: 'x' | 'y', at: number) => `calc(var(--${axis}) * 1px + var(--k) * ${at}px - ${radius}px)`;
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={label}
        title={label}
        data-kind={kind}
        // The second click of a double click zooms.
        onClick={({ detail }) => detail < 2 && choose(isChosen ? null : circle)}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && reveal(circle)}
        className={`absolute top-0 left-0 grid place-items-center rounded-full border-accent font-medium text-label tabular-nums focus-visible:z-10 ${kindClasses[kind]} ${isChosen ? 'z-10 bg-accent! text-on-accent' : 'text-t1 hover:z-10 hover:bg-bg'}`}
        style={{
          transform: `translate(${shift('x', x)}, ${shift('y', y)})`,
          width: radius * 2,
          height: radius * 2,
        }}
      >
        {count.toLocaleString(numberLocale(), { notation: count < 10_000 ? 'standard' : 'compact' })}
        {late > 0 && (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-amber ring-2 ring-sea"
          />
        )}
      </button>
    </li>
  );
});

/** `At sea, Shanghai to Rotterdam: 2 shipments. Estimated from …`, or how many of them are estimated. */
export function markWords({ name, note, positions, count, late, estimated, approximate }: Circle): string {
  const others = positions - 1;
  const place = others === 0 ? name : `${name} and ${others.toLocaleString(numberLocale())} more`;
  const counted = [
    `${count.toLocaleString(numberLocale())} ${count === 1 ? 'shipment' : 'shipments'}`,
    ...(late > 0 ? [`${late.toLocaleString(numberLocale())} late by a day or more`] : []),
    ...(others > 0 && estimated > 0
      ? [
          estimated === count
            ? 'all at estimated positions'
            : `${estimated.toLocaleString(numberLocale())} at estimated positions`,
        ]
      : []),
    ...(others > 0 && approximate > 0
      ? [`${approximate.toLocaleString(numberLocale())} approximate, based on the city name`]
      : []),
  ].join(', ');
  return `${place}: ${counted}${others === 0 && note !== null ? `. ${note}` : ''}`;
}
