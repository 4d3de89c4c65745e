import { chosen, type Mode } from '../api/call.ts';
import { Icon } from '../parts/icon.tsx';
import { MenuChoices, MenuSeparator, PopupMenu } from '../parts/inputs/menu.tsx';
import { switchTo, useAccount, useSession } from '../screens/session/use-session.ts';

const modes: readonly { value: Mode; name: string }[] = [
  { value: 'live', name: 'Live shipments' },
  { value: 'test', name: 'Test shipments' },
];

/** The account and the mode whose shipments the pages show. */
export function AccountMenu() {
  const { accounts } = useSession();
  const account = useAccount();
  return (
    <PopupMenu
      align="start"
      className="flex h-8 min-w-0 max-w-full items-center gap-2 rounded-control px-1 hover:bg-hover"
      trigger={
        <>
          <span className="sr-only">Account</span>
          <span
            aria-hidden="true"
            className="grid size-5 shrink-0 place-items-center rounded-badge bg-t1 font-semibold text-[11px] text-bg"
          >
            {[...account.name][0]?.toUpperCase()}
          </span>
          <span className="min-w-0 truncate font-semibold" title={account.name}>
            {account.name}
          </span>
          <span className="rounded-badge border border-line2 px-1.5 text-label text-t2 max-sm:hidden">
            {chosen.mode === 'live' ? 'Live' : 'Test'}
          </span>
          <Icon name="down" size={12} className="shrink-0 text-t2" />
        </>
      }
    >
      <MenuChoices
        value={account.id}
        choose={(id) => switchTo(id, chosen.mode)}
        choices={accounts.map(({ id, name, role }) => ({
          value: id,
          name,
          note: <span className="text-label text-t3">{role}</span>,
        }))}
      />
      <MenuSeparator />
      <MenuChoices value={chosen.mode} choose={(mode) => switchTo(account.id, mode)} choices={modes} />
    </PopupMenu>
  );
}
