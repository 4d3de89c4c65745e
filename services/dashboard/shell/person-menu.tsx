import { Menu } from '@base-ui/react/menu';
import { useNavigate } from '@tanstack/react-router';
import { menuClasses, menuItemClasses } from '../parts/menu.ts';
import { signOut } from '../screens/session/sign-out.ts';
import { useSession } from '../screens/session/use-session.ts';
import { chooseTheme, themes, useTheme } from './theme.ts';

/** Who is signed in: theme, own account, out. */
export function PersonMenu() {
  const { user } = useSession();
  const navigate = useNavigate();
  const theme = useTheme();
  return (
    <Menu.Root>
      <Menu.Trigger className="mt-1 grid size-8 place-items-center rounded-full border border-line2 bg-bg font-semibold text-[11px] text-t2 hover:text-t1">
        <span aria-hidden="true">{initialsOf(user.name)}</span>
        <span className="sr-only">{user.name}, your menu</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="right" align="end" sideOffset={8} className="z-30">
          <Menu.Popup className={menuClasses}>
            <div className="px-3 py-1.5">
              <p className="font-medium text-t1">{user.name}</p>
              <p className="text-label text-t3">{user.email}</p>
            </div>
            <Menu.Separator className="my-1 border-line border-t" />
            <Menu.RadioGroup value={theme} onValueChange={chooseTheme}>
              {themes.map(({ value, name }) => (
                <Menu.RadioItem key={value} value={value} className={menuItemClasses}>
                  {name}
                  <Menu.RadioItemIndicator className="ml-auto text-accent">●</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="my-1 border-line border-t" />
            <Menu.Item
              className={menuItemClasses}
              onClick={() => navigate({ to: '/configuration/$section', params: { section: 'sessions' } })}
            >
              Sessions and password
            </Menu.Item>
            <Menu.Item className={menuItemClasses} onClick={signOut}>
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
