import { Menu } from '@base-ui/react/menu';
import type { Mode } from '../api/call.ts';
import { chosen } from '../api/call.ts';
import { Icon } from '../parts/icon.tsx';
import { menuClasses, menuItemClasses } from '../parts/menu.ts';
import { switchTo, useAccount, useSession } from '../screens/session/use-session.ts';

const modes: readonly { value: Mode; name: string }[] = [
  { value: 'live', name: 'Live' },
  { value: 'test', name: 'Test' },
];

/** The account whose shipments are shown, live or test. */
export function AccountMenu() {
  const { accounts } = useSession();
  const account = useAccount();
  return (
    <Menu.Root>
      <Menu.Trigger className="flex h-8 min-w-0 max-w-full items-center gap-2 rounded-control px-1 hover:bg-hover">
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
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} className="z-30">
          <Menu.Popup className={menuClasses}>
            <Menu.RadioGroup value={account.id} onValueChange={(id) => switchTo(id, chosen.mode)}>
              {accounts.map(({ id, name, role }) => (
                <Menu.RadioItem key={id} value={id} className={menuItemClasses}>
                  {name}
                  <span className="text-label text-t3">{role}</span>
                  <Menu.RadioItemIndicator className="ml-auto text-accent">●</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="my-1 border-line border-t" />
            <Menu.RadioGroup value={chosen.mode} onValueChange={(mode: Mode) => switchTo(account.id, mode)}>
              {modes.map(({ value, name }) => (
                <Menu.RadioItem key={value} value={value} className={menuItemClasses}>
                  {name} shipments
                  <Menu.RadioItemIndicator className="ml-auto text-accent">●</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
