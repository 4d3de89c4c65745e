import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { rowOf } from '../screens/shipments/shipment-row.ts';
import type { Found } from './palette-lines.ts';
import { isNumber } from './pasted-numbers.ts';

const pauseMs = 120;
const mostFound = 6;
const shortest = 3;

/** Shipments that a text means: by number whatever its spaces, else by any part of what is known of them. */
export function useFoundShipments(typed: string): { found: Found | undefined; isSearching: boolean } {
  const text = useSettled(typed.trim());
  const { data, isFetching } = useQuery({
    queryKey: ['found', text],
    queryFn: ({ signal }) => find(text, signal),
    enabled: text.length >= shortest,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isSearching = typed.trim().length >= shortest && (typed.trim() !== text || (isFetching && data?.text !== text));
  return { found: text.length >= shortest ? data : undefined, isSearching };
}

async function find(text: string, signal: AbortSignal): Promise<Found> {
  const read = async (filter: { identifier: string[] } | { q: string }) =>
    (await call('listShipments', { query: { ...filter, limit: mostFound } }, { signal })).data.map((summary) =>
      rowOf(summary as Parameters<typeof rowOf>[0]),
    );
  const [byNumber, byWords] = await Promise.all([
    isNumber(text) ? read({ identifier: [text] }) : [],
    read({ q: text }),
  ]);
  const known = new Set(byNumber.map(({ id }) => id));
  return {
    text,
    rows: [...byNumber, ...byWords.filter(({ id }) => !known.has(id))].slice(0, mostFound),
    exact: byNumber.length,
  };
}

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
