import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { isNumber } from '../screens/shipments/pasted-numbers.ts';
import { rowOf } from '../screens/shipments/shipment-row.ts';
import type { Found } from './palette-lines.ts';

const debounceMs = 120;
const maxFound = 6;
const minChars = 3;

/** Shipments that match a text: by number in any notation, then by text search. */
export function useFoundShipments(typed: string): { found: Found | undefined; isSearching: boolean } {
  const text = useSettled(typed.trim());
  const { data, isFetching } = useQuery({
    queryKey: ['found', text],
    queryFn: ({ signal }) => find(text, signal),
    enabled: text.length >= minChars,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isSearching = typed.trim().length >= minChars && (typed.trim() !== text || (isFetching && data?.text !== text));
  return { found: text.length >= minChars ? data : undefined, isSearching };
}

async function find(text: string, signal: AbortSignal): Promise<Found> {
  const read = async (filter: { identifier: string[] } | { q: string }) =>
    (await call('listShipments', { query: { ...filter, limit: maxFound } }, { signal })).data.map((summary) =>
      rowOf(summary as Parameters<typeof rowOf>[0]),
    );
  const [byNumber, byText] = await Promise.all([isNumber(text) ? read({ identifier: [text] }) : [], read({ q: text })]);
  const known = new Set(byNumber.map(({ id }) => id));
  return {
    text,
    rows: [...byNumber, ...byText.filter(({ id }) => !known.has(id))].slice(0, maxFound),
    exact: byNumber.length,
  };
}

/** The text after a short pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
