import { type ReactNode, useMemo } from 'react';
import { Icon } from '../../../parts/icon.tsx';
import { EmptyState } from '../../../parts/page-states.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { kindWord } from '../../../parts/words/free-time-words.ts';
import { carrierNameOf } from './code-options.ts';
import { mistakeAt, type TermDraft, type TermMistakes } from './term-draft.ts';
import { equipmentWords, freeTimeText, isValidOn, ratesText, termName, validityText } from './term-words.ts';

type Props = {
  terms: readonly TermDraft[];
  mistakes: TermMistakes;
  openKey: number | null;
  open: (key: number) => void;
  /** `2026-04-15` */
  today: string;
  empty: { title: string; text: string; action?: ReactNode };
};

/** The terms, a line each. A field with a mistake is marked, and says what is wrong with it. */
export function TermsTable({ terms, mistakes, openKey, open, today, empty }: Props) {
  const isBesidePanel = openKey !== null;
  const columns = useMemo(() => {
    const all = columnsOf({ mistakes, open, today });
    return isBesidePanel ? all.filter(({ key }) => !wide.includes(key) || hasMistakeIn(mistakes, key)) : all;
  }, [mistakes, open, today, isBesidePanel]);
  return (
    <Table
      caption="Free-time terms"
      columns={columns}
      rows={terms}
      rowKey={({ key }) => String(key)}
      rowClassName={() => 'h-8 align-top max-md:grid-cols-[1fr_auto] max-md:gap-x-3'}
      isSelected={({ key }) => key === openKey}
      open={({ key }) => open(key)}
      head="sticky"
      narrow="stacked"
      empty={
        <EmptyState title={empty.title} action={empty.action}>
          {empty.text}
        </EmptyState>
      }
    />
  );
}

/** The columns that leave their room to an open row, and their fields. They stay where something is wrong in them. */
const wide: readonly string[] = ['equipment', 'rates', 'valid'];
const fieldsOf = {
  equipment: ['equipment'],
  rates: ['rates', 'currency', 'charged_days'],
  valid: ['valid_from', 'valid_to'],
} as const;

function hasMistakeIn(mistakes: TermMistakes, key: string): boolean {
  return [...mistakes.values()].some((ofRow) => mistakeAt(ofRow, ...fieldsOf[key as keyof typeof fieldsOf]) !== null);
}

type Shown = Pick<Props, 'mistakes' | 'open' | 'today'>;

/** Of the shown rows, only those that change are rendered again: there may be 2,000. */
function columnsOf({ mistakes, open, today }: Shown): readonly Column<TermDraft>[] {
  const wrong = (term: TermDraft, ...fields: string[]) => mistakeAt(mistakes.get(term.key) ?? [], ...fields);
  const cell = (fields: readonly string[], text: (term: TermDraft) => ReactNode) => (term: TermDraft) => (
    <MarkedCell mistake={wrong(term, ...fields)}>{text(term)}</MarkedCell>
  );
  const padding = 'md:py-1.5';
  return [
    {
      key: 'clock',
      name: 'Clock',
      className: 'md:w-[132px]',
      cellClassName: padding,
      cell: (term) => (
        <MarkedCell mistake={wrong(term, '', 'kind')}>
          <button
            type="button"
            aria-label={`Open ${termName(term, kindWord)}`}
            className="text-left font-medium"
            onClick={() => open(term.key)}
          >
            {term.kind === 'combined' ? 'Combined' : kindWord(term.kind)}
          </button>
        </MarkedCell>
      ),
    },
    {
      key: 'carrier',
      name: 'Carrier',
      className: 'md:w-[150px] max-md:text-right',
      cellClassName: padding,
      cell: cell(['carrier'], ({ carrier }) => (carrier === '' ? any('Any carrier') : <Carrier code={carrier} />)),
    },
    {
      key: 'place',
      name: 'Place',
      className: 'md:w-[104px]',
      cellClassName: padding,
      cell: cell(['place', 'country'], ({ place, country }) =>
        place === '' && country === '' ? (
          any('Anywhere')
        ) : (
          <span className="font-mono text-number">{[place, country].filter((code) => code !== '').join(', ')}</span>
        ),
      ),
    },
    {
      key: 'equipment',
      name: 'Equipment',
      className: 'md:w-[112px] max-md:text-right',
      cellClassName: padding,
      cell: cell(fieldsOf.equipment, ({ equipment }) =>
        equipment === '' ? any('Any equipment') : equipmentWords[equipment],
      ),
    },
    {
      key: 'free',
      name: 'Free time',
      className: 'max-md:col-span-2 max-md:mt-1',
      cellClassName: padding,
      cell: cell(['free_days', 'start_event', 'first_day', 'counting', 'calendar_country'], freeTimeText),
    },
    {
      key: 'rates',
      name: 'After free time',
      className: 'max-md:col-span-2',
      cellClassName: padding,
      cell: cell(fieldsOf.rates, (term) => (
        <span className={`text-pretty tabular-nums ${term.rates.length === 0 ? 'text-t3' : ''}`}>
          {ratesText(term)}
        </span>
      )),
    },
    {
      key: 'valid',
      name: 'Valid',
      className: 'md:w-[172px] max-md:col-span-2',
      cellClassName: padding,
      cell: cell(fieldsOf.valid, (term) => (
        <span className={isValidOn(term, today) ? 'text-t2' : 'text-t3'}>
          {validityText(term, Date.parse(today))}
          {term.validTo !== '' && term.validTo < today && ', ended'}
        </span>
      )),
    },
    {
      key: 'open',
      name: 'Open',
      isNameHidden: true,
      className: 'w-8 max-md:hidden',
      cellClassName: 'py-2 text-t3',
      cell: () => <Icon name="right" size={14} />,
    },
  ];
}

/** A value, and under it what is wrong with it. */
function MarkedCell({ mistake, children }: { mistake: string | null; children: ReactNode }) {
  if (mistake === null) return children;
  return (
    <span className="block rounded-badge bg-[color-mix(in_srgb,var(--red)_9%,transparent)] px-1.5 py-1 text-left">
      {children}
      <span className="mt-0.5 flex items-start gap-1.5 text-label text-red">
        <span className="mt-px">
          <WarningMark severity="critical" size={13} />
        </span>
        <span className="min-w-0">{mistake}</span>
      </span>
    </span>
  );
}

function Carrier({ code }: { code: string }) {
  const name = carrierNameOf(code);
  return (
    <span title={name === null ? code : `${name}, ${code}`}>
      {name ?? <span className="font-mono text-number">{code}</span>}
    </span>
  );
}

function any(text: string): ReactNode {
  return <span className="text-t3">{text}</span>;
}
