import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/inputs/checkbox.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { SkeletonRows } from '../../parts/skeleton.tsx';
import { WarningMark } from '../../parts/status-icons.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { CorrectPanel } from './correct-panel.tsx';
import { CredentialsButton, FailureBar } from './failure-actions.tsx';
import { FailureTable } from './failure-table.tsx';
import { actorWords, failureWords, remedyWords } from './failure-words.ts';
import type { FailedShipment, FailureGroup } from './group-failures.ts';
import { useFailedShipments } from './use-failed-shipments.ts';
import { useRemedy, type Verb } from './use-remedy.ts';

type Props = { group: FailureGroup; isNarrowed: boolean; mayWrite: boolean; isFirst: boolean };

/** One reason: what is wrong, who has to act, one button, and the shipments. */
export function FailureSection({ group, isNarrowed, mayWrite, isFirst }: Props) {
  const { state, reason } = group;
  const list = useFailedShipments(group, isNarrowed);
  const shipments = (list.data?.pages.flatMap((page) => page.data) ?? []).filter(
    ({ tracking }) => tracking.reason === reason,
  );
  const total = Math.max(group.count, shipments.length);
  const isWhole = shipments.length === total;
  const { title, what, how, actor, remedy } = failureWords(reason);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [correcting, setCorrecting] = useState<string[]>([]);
  const { run, status, busy } = useRemedy();
  const ids = shipments.map(({ shipment_id: id }) => id);
  const chosen = ids.filter((id) => selected.has(id));
  const verb: Verb = remedy === 'archive' ? 'archive' : state === 'failed' ? 'resume' : 'refresh';
  const act = () => {
    if (remedy === 'correct') setCorrecting(ids);
    else void run(verb, ids);
  };
  const isCorrectable = remedy === 'correct' || reason === 'carrier_not_found_yet';
  return (
    <section aria-label={title}>
      <div className="flex items-start gap-2 border-line border-b bg-sunk px-4 py-2 max-md:flex-wrap">
        {mayWrite && (
          <span className="mt-0.5 mr-0.5">
            <Checkbox
              label={isWhole ? `Select all: ${title}` : `Select the ${ids.length} shown: ${title}`}
              checked={ids.length > 0 && chosen.length === ids.length}
              indeterminate={chosen.length > 0 && chosen.length < ids.length}
              onChange={(all) => setSelected(new Set(all ? ids : []))}
            />
          </span>
        )}
        <span className="mt-[3px]">
          <WarningMark severity={state === 'failed' || actor === 'you' ? 'critical' : 'warning'} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-section font-semibold">
            {title}{' '}
            <span className="font-normal text-body text-t3 tabular-nums">{total.toLocaleString(numberLocale())}</span>
            <span className="ml-3 font-normal text-label text-t3 max-md:ml-0 max-md:block">
              <span className="text-t2">{actorWords[actor]}</span>
              {shipments.length > 0 && ` · ${carrierWords(shipments, isWhole)}`}
            </span>
          </h2>
          <p className="text-t2">
            {what} {how}
          </p>
        </div>
        {mayWrite && (
          <div className="flex shrink-0 items-center gap-2 self-center max-md:w-full max-md:pl-12">
            {remedy === 'credentials' ? (
              <CredentialsButton shipments={shipments} isWhole={isWhole} />
            ) : (
              <Button busy={busy} disabled={ids.length === 0 || chosen.length > 0} onClick={act}>
                {remedyWords(remedy, state)}
                {!isWhole && ids.length > 0 && ` (${ids.length.toLocaleString(numberLocale())})`}
              </Button>
            )}
          </div>
        )}
      </div>
      {status !== null && (
        <p role="status" className="border-line border-b px-4 py-1.5 text-label text-t2 tabular-nums">
          {status.text}
        </p>
      )}
      <FailureTable
        caption={title}
        shipments={shipments}
        isHeadShown={isFirst}
        mayWrite={mayWrite}
        selected={selected}
        setSelected={setSelected}
        action={{
          name: isCorrectable ? 'Correct number' : remedyWords(remedy, state),
          isBusy: busy,
          run: remedy === 'credentials' ? null : (id) => (isCorrectable ? setCorrecting([id]) : void run(verb, [id])),
        }}
      />
      {list.isPending && (
        <SkeletonRows
          rows={Math.min(total, 5)}
          label={`Loading ${title}`}
          cells={['w-40', 'w-20', 'w-28']}
          className="h-8 gap-6 border-line border-b px-4 max-md:h-[85px]"
        />
      )}
      {list.error !== null && (
        <ProblemNote error={list.error} retry={() => void list.refetch()} className="border-line border-b px-4 py-2" />
      )}
      {list.hasNextPage && (
        <p className="flex items-center gap-3 border-line border-b px-4 py-2">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
          <span className="text-label text-t3 tabular-nums">
            {shipments.length.toLocaleString(numberLocale())} of {total.toLocaleString(numberLocale())} shown
          </span>
        </p>
      )}
      {chosen.length > 0 && (
        <FailureBar
          title={title}
          count={chosen.length}
          state={state}
          remedy={remedy}
          busy={busy}
          correct={() => setCorrecting(chosen)}
          run={(one) => void run(one, chosen).then(() => setSelected(new Set()))}
          clear={() => setSelected(new Set())}
        />
      )}
      <CorrectPanel
        shipment={shipments.find(({ shipment_id: id }) => id === correcting[0]) ?? null}
        left={correcting.length}
        next={() => setCorrecting(correcting.slice(1))}
        close={() => setCorrecting([])}
      />
    </section>
  );
}

const maxNamed = 4;

/** With numbers only if all shipments are known. */
function carrierWords(shipments: readonly FailedShipment[], isWhole: boolean): string {
  const counts = [...Map.groupBy(shipments, ({ carrier }) => carrier)].toSorted(
    ([, left], [, right]) => right.length - left.length,
  );
  const named = counts
    .slice(0, maxNamed)
    .map(([code, all]) => `${findCarrier(code)?.name ?? code}${counts.length > 1 && isWhole ? ` ${all.length}` : ''}`);
  const others = counts.length - named.length;
  if (!isWhole) return `${named.join(', ')}, …`;
  return others > 0 ? `${named.join(', ')} and ${others} more` : named.join(', ');
}
