import { useDeferredValue, useMemo, useState } from 'react';
import { chosen } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { readDraft, useKeptDraft } from '../../parts/hooks/use-draft.ts';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { useAccount, useSession } from '../session/use-session.ts';
import { type Choice, type Choices, countEntries, type Entry, readEntries } from './entries.ts';
import { EntriesTable } from './entries-table.tsx';
import { NumbersBox } from './numbers-box.tsx';
import { countResults, planBatches, readTags } from './plan-registration.ts';
import { SetForAll } from './set-for-all.tsx';
import { splitPasted } from './split-pasted.ts';
import { useRegistration } from './use-registration.ts';

const maxNumbers = 1000;
type Shown = 'all' | 'open' | 'failed';

/** Registers typed or pasted numbers. */
export function PastePanel({ mayWrite }: { mayWrite: boolean }) {
  const [prefilled] = useSearchState('number');
  const draftKey = useDraftKey();
  const [kept] = useState(() => (prefilled === '' ? readDraft<Draft>(draftKey) : null));
  const [text, setText] = useState(kept?.text ?? prefilled);
  const [choices, setChoices] = useState<Choices>(() => new Map(kept?.choices));
  const [common, setCommon] = useState(kept?.common ?? { reference: '', tags: '' });
  const [shown, setShown] = useState<Shown>('all');
  const registration = useRegistration();
  const test = chosen.mode === 'test';

  const read = useDeferredValue(text);
  const numbers = useMemo(() => splitPasted(read), [read]);
  const entries = useMemo(() => readEntries(numbers.slice(0, maxNumbers), choices, { test }), [numbers, choices, test]);
  const counts = countEntries(entries);
  const results = countResults(registration.results);
  const tags = readTags(common.tags);
  const toSend = planBatches(entries, { reference: common.reference.trim(), tags }, registration.results).reduce(
    (sum, { rows }) => sum + rows.length,
    0,
  );
  const isBusy = registration.progress !== null;
  const isDone = registration.results.size > 0 && toSend === 0 && counts.incomplete + counts.malformed === 0;
  const isKept = read !== '' && !isDone;
  useKeptDraft<Draft>(draftKey, isKept ? { text: read, choices: [...choices], common } : null);
  const visible = entries.filter((entry) => isShown(entry, shown, registration.results.get(entry.key)?.outcome));

  const choose = useMemo(
    () => (key: string, choice: Choice) => setChoices((before) => new Map([...before, [key, choice]])),
    [],
  );
  const submit = () => registration.register(entries, { reference: common.reference.trim(), tags });
  const reset = () => {
    setText('');
    setChoices(new Map());
    setShown('all');
    registration.clear();
  };

  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col">
      <form
        className="flex w-[400px] shrink-0 flex-col gap-4 border-line border-r p-4 max-lg:w-auto max-lg:border-r-0 max-lg:border-b"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <NumbersBox text={text} setText={setText} submit={submit} locked={isBusy} />
        <div className="flex flex-col gap-3">
          <TextField
            label="Reference (optional)"
            placeholder="PO-7741"
            value={common.reference}
            hint={
              entries.length - counts.duplicate > 1 && common.reference !== ''
                ? `References are unique: ${common.reference.trim()}-1, ${common.reference.trim()}-2, …`
                : undefined
            }
            onChange={({ target }) => setCommon({ ...common, reference: target.value })}
          />
          <TextField
            label="Tags for all (optional)"
            placeholder="acme, spring"
            hint="Separated by commas"
            value={common.tags}
            onChange={({ target }) => setCommon({ ...common, tags: target.value })}
          />
        </div>
        <div className="sticky bottom-0 flex flex-col gap-2 bg-bg pb-1">
          <Button
            kind="primary"
            type="submit"
            className="h-8 w-full"
            disabled={toSend === 0 || !mayWrite}
            busy={isBusy}
          >
            {isBusy
              ? `Registering ${registration.progress?.sent} of ${registration.progress?.of}`
              : buttonText(toSend, results.failed)}
          </Button>
          {!mayWrite && <p className="text-label text-t3">You have view-only access to this account.</p>}
          {registration.error !== null && <ProblemNote error={registration.error} retry={submit} />}
        </div>
      </form>
      <section aria-label="Recognized numbers" className="flex min-w-0 flex-1 flex-col lg:min-h-0 lg:overflow-auto">
        {entries.length === 0 ? (
          <Hints />
        ) : (
          <>
            <div className="flex min-h-[44px] flex-wrap items-center gap-2 border-line border-b px-4 py-2">
              <Chip active={shown === 'all'} count={entries.length} onClick={() => setShown('all')}>
                All
              </Chip>
              {(counts.incomplete + counts.malformed > 0 || shown === 'open') && (
                <Chip
                  active={shown === 'open'}
                  count={counts.incomplete + counts.malformed}
                  onClick={() => setShown('open')}
                >
                  Needs attention
                </Chip>
              )}
              {(results.failed > 0 || shown === 'failed') && (
                <Chip active={shown === 'failed'} count={results.failed} onClick={() => setShown('failed')}>
                  Failed
                </Chip>
              )}
              <p role="status" className="ml-auto text-label text-t2 tabular-nums">
                {summaryText(counts, results, numbers.length)}
              </p>
              {results.created + results.existing > 0 && !isBusy && <Button onClick={reset}>Add more</Button>}
            </div>
            <SetForAll
              entries={entries}
              test={test}
              setAll={(chosenForAll) => setChoices((before) => new Map([...before, ...chosenForAll]))}
            />
            <EntriesTable
              entries={visible}
              results={registration.results}
              test={test}
              locked={isBusy || !mayWrite}
              choose={choose}
            />
          </>
        )}
      </section>
    </div>
  );
}

/** Draft that survives a reload and a new sign-in, until the numbers are registered. */
type Draft = { text: string; choices: readonly [string, Choice][]; common: { reference: string; tags: string } };

/** Another user or account does not get the draft. */
function useDraftKey(): string {
  return ['adding', useSession().user.id, useAccount().id, chosen.mode].join(' ');
}

function isShown(entry: Entry, shown: Shown, outcome: string | undefined): boolean {
  if (shown === 'open') return entry.state === 'incomplete' || entry.state === 'malformed';
  return shown === 'all' || outcome === 'failed';
}

function buttonText(toSend: number, failed: number): string {
  if (toSend === 0) return 'Track';
  if (failed > 0 && toSend === failed) return toSend === 1 ? 'Retry 1 shipment' : `Retry ${toSend} shipments`;
  return toSend === 1 ? 'Track 1 shipment' : `Track ${toSend.toLocaleString(numberLocale())} shipments`;
}

function summaryText(
  counts: ReturnType<typeof countEntries>,
  results: ReturnType<typeof countResults>,
  found: number,
): string {
  const parts = [
    [results.created, 'registered'],
    [results.existing, 'already tracked'],
    [results.failed, 'failed'],
    [counts.ready - results.created - results.existing - results.failed, 'ready'],
    [counts.incomplete, 'incomplete'],
    [counts.malformed, 'invalid'],
    [counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'],
    [counts.warnings, counts.warnings === 1 ? 'warning' : 'warnings'],
  ] as const;
  const texts = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString(numberLocale())} ${word}`);
  return found > maxNumbers
    ? `First ${maxNumbers.toLocaleString(numberLocale())} of ${found.toLocaleString(numberLocale())}. Import a file for more.`
    : texts.join(' · ');
}

const examples = [
  ['Ocean', 'MAEU 263 944 107', 'bill of lading, booking or container'],
  ['Air', '020-0800 2050', 'air waybill'],
  ['Road', 'PRO 482-119 0037', 'PRO or bill of lading'],
  ['Parcel', '1Z 999 AA1 01 2345 6784', 'tracking number'],
] as const;

function Hints() {
  return (
    <div className="p-4 max-lg:hidden">
      <h2 className="text-section font-semibold">Recognized numbers</h2>
      <p className="mt-1 max-w-[60ch] text-t2">
        Landfall recognizes the kind and carrier of each number, and you can change them. Spaces, hyphens and
        surrounding text don’t matter. Numbers that are already tracked are not registered again.
      </p>
      <dl className="mt-4 grid grid-cols-[72px_200px_1fr] gap-y-1">
        {examples.map(([mode, number, kinds]) => (
          <div key={mode} className="contents">
            <dt className="text-t2">{mode}</dt>
            <dd className="font-mono font-medium text-number">{number}</dd>
            <dd className="text-t3">{kinds}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
