import { Menu } from '@base-ui/react/menu';
import { useNavigate } from '@tanstack/react-router';
import { MenuChoices, MenuSeparator, menuItemClasses, PopupMenu } from '../parts/inputs/menu.tsx';
import { signOut } from '../screens/session/sign-out.ts';
import { useSession } from '../screens/session/use-session.ts';
import { chooseTheme, themes, useTheme } from './theme.ts';

/** The signed-in user: theme, sessions and password, sign out. */
export function PersonMenu() {
  const { user } = useSession();
  const navigate = useNavigate();
  const theme = useTheme();
  return (
    <PopupMenu
      side="right"
      className="mt-1 grid size-8 place-items-center rounded-full border border-line2 bg-bg font-semibold text-[11px] text-t2 hover:text-t1"
      trigger={
        <>
          <span aria-hidden="true">{initialsOf(user.name)}</span>
          <span className="sr-only">{user.name}, user menu</span>
        </>
      }
    >
      <div className="px-3 py-1.5">
        <p className="font-medium text-t1">{user.name}</p>
        <p className="text-label text-t3">{user.email}</p>
      </div>
      <MenuSeparator />
      <MenuChoices value={theme} choose={chooseTheme} choices={themes} />
      <MenuSeparator />
      <Menu.Item
        className={menuItemClasses}
        onClick={() => navigate({ to: '/configuration/$section', params: { section: 'sessions' } })}
      >
        Sessions and password
      </Menu.Item>
      <Menu.Item className={menuItemClasses} onClick={signOut}>
        Sign out
      </Menu.Item>
    </PopupMenu>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
