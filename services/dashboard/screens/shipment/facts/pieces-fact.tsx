import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { Identifier } from '../../../parts/identifier.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/status-icons.tsx';
import { wordOf } from '../../../parts/words/code-words.ts';
import { detailWords } from '../../../parts/words/detail-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { dimensionWords, keepUnits, weightWords } from '../../../parts/words/measure-words.ts';
import { Fact, FoldedList } from '../fact.tsx';

const maxShown = 6;

/** Each piece with its own status: the pieces of one shipment can be delivered apart. */
export function PiecesFact({
  pieces,
  piece_status_counts: counts,
  pieces_count: all,
}: Pick<WireShipment, 'pieces' | 'piece_status_counts' | 'pieces_count'>) {
  if (pieces.length === 0) return null;
  const isMixed = new Set(pieces.map(({ status }) => status)).size > 1;
  const spread = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${wordOf(status).toLowerCase()}`);
  const unlisted = Math.max(0, (all ?? 0) - pieces.length);
  return (
    <Fact
      title="Pieces"
      aside={spread.join(', ')}
      value={pieces.map(({ tracking_number: number, status, status_detail: detail }) => [number, status, detail])}
    >
      <FoldedList
        rows={pieces}
        max={maxShown}
        noun="pieces"
        row={(piece) => <PieceLine key={piece.tracking_number} piece={piece} isMixed={isMixed} />}
      />
      {unlisted > 0 && (
        <p className="mt-1 text-label text-t3">
          {unlisted.toLocaleString(numberLocale())} more {unlisted === 1 ? 'piece is' : 'pieces are'} not listed.
        </p>
      )}
    </Fact>
  );
}

function PieceLine({ piece, isMixed }: { piece: WireShipment['pieces'][number]; isMixed: boolean }) {
  const { tracking_number: number, status, status_detail: detail, weight_kg: kg, dimensions_cm: size } = piece;
  const notes = [
    ...(detail !== null ? [detailWords(detail)] : isMixed ? [wordOf(status)] : []),
    ...(size === null ? [] : [keepUnits(dimensionWords(size))]),
  ];
  return (
    <li className="min-h-7 py-1">
      <div className="flex items-center gap-2.5">
        <span title={wordOf(status)} className="inline-flex">
          <StatusGlyph status={status} />
          <span className="sr-only">{wordOf(status)}</span>
        </span>
        <Identifier kind="tracking_number" value={number} className="text-label" />
        {kg !== null && <span className="ml-auto whitespace-nowrap text-t2 tabular-nums">{weightWords(kg)}</span>}
      </div>
      {notes.length > 0 && (
        <p className="flex items-center gap-1.5 pl-6 text-label text-t2">
          {status === 'failed' && <WarningMark severity="warning" size={12} />}
          {notes.join(', ')}
        </p>
      )}
    </li>
  );
}
