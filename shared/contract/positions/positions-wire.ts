import { z } from 'zod';

/** The body of `POST {POSITIONS_URL}`, as docs/operate/positions.md describes it. */
export function toPositionsQuestion(imos: readonly string[]): { vessels: { imo: string }[] } {
  return { vessels: imos.map((imo) => ({ imo })) };
}

const answerSchema = z.object({ positions: z.array(z.unknown()) });

const text = z.string().trim().min(1).max(100);
const rowSchema = z.object({
  imo: z.string().regex(/^\d{7}$/),
  lat: z.number(),
  lng: z.number(),
  at: z.iso.datetime({ offset: true }),
  source: text.nullish(),
  name: text.nullish(),
});

export type PositionRow = { imo: string; lat: number; lng: number; at: string; source: string; name: string | null };

/** More than one for each vessel that was asked about is read, and no more than these. */
const maxRows = 5000;

/**
 * The positions of an answer, and how many of its rows are none. Null: it doesn't have the documented form. `at` becomes
 * ISO UTC, `source` begins with `positions`.
 */
export function readPositionsAnswer(answer: unknown): { positions: PositionRow[]; unreadable: number } | null {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return null;
  const rows = parsed.data.positions.slice(0, maxRows);
  const positions = rows.flatMap((row): PositionRow[] => {
    const { success, data } = rowSchema.safeParse(row);
    if (!success) return [];
    const { imo, lat, lng, at, source, name } = data;
    return [
      {
        imo,
        lat,
        lng,
        at: new Date(at).toISOString(),
        source: source ? `positions:${source}` : 'positions',
        name: name ?? null,
      },
    ];
  });
  return { positions, unreadable: parsed.data.positions.length - positions.length };
}
