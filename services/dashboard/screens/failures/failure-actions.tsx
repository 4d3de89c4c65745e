import { Menu } from '@base-ui/react/menu';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { menuItemClasses, PopupMenu } from '../../parts/inputs/menu.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { ArchiveDialog } from '../shipments/selection/archive-dialog.tsx';
import { type Remedy, remedyWords } from './failure-words.ts';
import type { FailedShipment } from './group-failures.ts';
import type { Verb } from './use-remedy.ts';

/** The address of the credentials of a carrier, or of all. */
export function credentialsOf(carrier?: string) {
  return {
    to: '/configuration/$section',
    params: { section: 'carriers' },
    search: carrier === undefined ? {} : { carrier },
  } as const;
}

/** Leads to the credentials of the carrier; where several lack them, of each. `isWhole`: all shipments are known. */
export function CredentialsButton({ shipments, isWhole }: { shipments: readonly FailedShipment[]; isWhole: boolean }) {
  const codes = [...new Set(shipments.map(({ carrier }) => carrier))];
  if (codes.length < 2 && isWhole) {
    return (
      <Link {...credentialsOf(codes[0])} className={buttonClasses()}>
        Set credentials
      </Link>
    );
  }
  return (
    <PopupMenu
      label="Set credentials"
      className={buttonClasses()}
      trigger={
        <>
          Set credentials <Icon name="down" size={10} />
        </>
      }
    >
      {codes.map((code) => (
        <Menu.Item key={code} render={<Link {...credentialsOf(code)} />} className={menuItemClasses}>
          {findCarrier(code)?.name ?? code}
        </Menu.Item>
      ))}
      {!isWhole && (
        <Menu.Item render={<Link {...credentialsOf()} />} className={menuItemClasses}>
          All carriers
        </Menu.Item>
      )}
    </PopupMenu>
  );
}

type BarProps = {
  title: string;
  count: number;
  state: string;
  remedy: Remedy;
  busy: boolean;
  correct: () => void;
  run: (verb: Verb) => void;
  clear: () => void;
};

/** Actions on the selected shipments of a group. */
export function FailureBar({ title, count, state, remedy, busy, correct, run, clear }: BarProps) {
  const [isArchiving, setArchiving] = useState(false);
  const number = count.toLocaleString(numberLocale());
  return (
    <div
      role="toolbar"
      aria-label={`Selected: ${title}`}
      className="sticky bottom-0 z-10 flex min-h-[45px] flex-wrap items-center gap-2 border-line border-b bg-sel px-4 py-1.5"
    >
      <span className="mr-2 font-medium tabular-nums" aria-live="polite">
        {number} selected
      </span>
      {remedy === 'correct' && (
        <Button busy={busy} onClick={correct}>
          {count === 1 ? 'Correct number' : 'Correct numbers'}
        </Button>
      )}
      <Button busy={busy} onClick={() => run(state === 'failed' ? 'resume' : 'refresh')}>
        {remedyWords('refresh', state)}
      </Button>
      <Button busy={busy} onClick={() => setArchiving(true)}>
        Archive
      </Button>
      <Button kind="quiet" className="ml-auto" onClick={clear}>
        Clear
      </Button>
      {isArchiving && (
        <ArchiveDialog
          count={count}
          archive={() => {
            setArchiving(false);
            run('archive');
          }}
          close={() => setArchiving(false)}
        />
      )}
    </div>
  );
}
