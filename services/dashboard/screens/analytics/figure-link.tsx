import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { joinList, splitList } from '#shared/contract/input/comma-list.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { type ListFilter, listFilterOf, listFilters } from '../shipments/list-filters.ts';

/** The parameter of the list's page for each one of the API. */
const names: Record<string, ListFilter> = Object.fromEntries(
  listFilters.map((name) => [listFilterOf(name).field, name]),
);

/** The address of the list that a query of the API means. Later parameters replace earlier ones. */
export function listSearchOf(query: string): Record<string, string> {
  const asked = Object.fromEntries(new URLSearchParams(query));
  const search: Record<string, string> = { view: asked.archived === 'any' ? 'any' : 'all' };
  for (const [name, value] of Object.entries(asked)) {
    const own = names[name];
    if (own !== undefined) search[own] = joinList(splitList(value));
  }
  if (asked.arrived_from && asked.arrived_to) search.arrived = `${asked.arrived_from}..${asked.arrived_to}`;
  if (asked.created_from && asked.created_to) search.registered = `${asked.created_from}..${asked.created_to}`;
  if (asked.transit_known) search.transit = asked.transit_known === 'true' ? 'known' : 'unknown';
  if (asked.has_events) search.events = asked.has_events === 'true' ? 'yes' : 'no';
  return search;
}

type Props = { list: string; and?: string; label: string; className?: string; children: ReactNode };

/** A number that opens the list of the shipments that it counts. `and`: what narrows that list further. */
export function FigureLink({ list, and, label, className = '', children }: Props) {
  return (
    <Link
      to="/"
      search={listSearchOf(and === undefined ? list : `${list}&${and}`) as never}
      aria-label={label}
      title={label}
      className={`underline-offset-2 hover:text-accent hover:underline ${className}`}
    >
      {children}
    </Link>
  );
}

type CountProps = Omit<Props, 'children' | 'label'> & { count: number; of: string };

/** A count as a link; zero as a dash, because nothing is behind it. `of`: what is counted, as `late, Maersk`. */
export function CountLink({ count, of, ...rest }: CountProps) {
  if (count === 0) return <span className="text-t3">–</span>;
  return <CountInText count={count} of={of} {...rest} />;
}

/** The same inside a sentence, where zero is a number like others and a link is underlined. */
export function NotedLink(props: CountProps) {
  if (props.count === 0) return '0';
  return <CountInText {...props} className={`underline ${props.className ?? ''}`} />;
}

function CountInText({ count, of, ...rest }: CountProps) {
  const shown = count.toLocaleString(numberLocale());
  return (
    <FigureLink {...rest} label={`${shown} ${of}`}>
      {shown}
    </FigureLink>
  );
}
