import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { durationWords } from '../carriers/carrier-words.ts';
import type { WireSpan } from './operations-types.ts';

/** Everything that is known of one span. */
export function SpanDetails({ span }: { span: WireSpan }) {
  const facts: [string, ReactNode][] = [
    ['service', span.service],
    ['kind', span.kind],
    ['status', span.status],
    ['begins after', durationWords(span.offset_ms)],
    ['span id', span.span_id],
    ...Object.entries(span.attributes)
      .toSorted(([left], [right]) => left.localeCompare(right))
      .map(([name, value]): [string, ReactNode] => [name, attribute(name, value)]),
    ...span.links.map(({ trace_id: traceId }): [string, ReactNode] => [
      'linked to',
      <Link
        key={traceId}
        to="/operations/traces/$traceId"
        params={{ traceId }}
        className="text-accent underline-offset-2 hover:underline"
      >
        {traceId}
      </Link>,
    ]),
  ];
  return (
    <dl className="grid grid-cols-[minmax(120px,max-content)_1fr] items-baseline gap-x-4 border-line border-y bg-sunk px-4 py-2 max-sm:grid-cols-[minmax(96px,40%)_1fr] max-sm:gap-x-2">
      {facts.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links may be there twice, and nothing moves
        <div key={`${name} ${index}`} className="contents">
          <dt className="text-t3">{name}</dt>
          <dd className="min-w-0 select-text break-words font-mono text-number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function attribute(name: string, value: string | number | boolean): ReactNode {
  const text = String(value);
  if (name !== 'shipment.id' || !/^shp_[0-9a-z]{26}$/.test(text)) return text;
  return (
    <Link
      to="/operations/traces"
      search={{ shipment: text }}
      className="text-accent underline-offset-2 hover:underline"
    >
      {text}
    </Link>
  );
}
