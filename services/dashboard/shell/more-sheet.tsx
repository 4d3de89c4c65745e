import { Dialog } from '@base-ui/react/dialog';
import { Link } from '@tanstack/react-router';
import { Icon } from '../parts/icon.tsx';
import { signOut } from '../screens/session/sign-out.ts';
import { useSession } from '../screens/session/use-session.ts';
import type { Screen } from './screens.ts';
import { chooseTheme, themes, useTheme } from './theme.ts';

const lineClasses =
  'flex h-11 w-full items-center gap-3 px-4 text-section text-t1 hover:bg-hover aria-[current=page]:text-accent';

/** Everything that is not in the tab bar of a phone: other screens, the theme, sign out. */
export function MoreSheet({
  isOpen,
  close,
  screens,
}: {
  isOpen: boolean;
  close: () => void;
  screens: readonly Screen[];
}) {
  const { user } = useSession();
  const theme = useTheme();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-x-0 bottom-0 z-50 max-h-[85dvh] overflow-y-auto border-line2 border-t bg-bg pt-2 pb-6 outline-none">
          <Dialog.Title className="sr-only">More</Dialog.Title>
          <nav aria-label="More screens">
            {screens.map(({ to, name, icon }) => (
              <Link key={to} to={to} onClick={close} className={lineClasses}>
                <Icon name={icon} className="text-t2" />
                {name}
              </Link>
            ))}
          </nav>
          <fieldset className="mx-4 my-2 flex gap-2 border-line border-t pt-3">
            <legend className="sr-only">Theme</legend>
            {themes.map(({ value, name }) => (
              <button
                key={value}
                type="button"
                aria-pressed={theme === value}
                onClick={() => chooseTheme(value)}
                className="h-9 flex-1 rounded-control border border-line2 text-body text-t2 aria-pressed:border-accent aria-pressed:bg-sel aria-pressed:text-t1"
              >
                {name}
              </button>
            ))}
          </fieldset>
          <div className="mt-2 border-line border-t pt-1">
            <p className="px-4 py-2">
              <span className="font-medium">{user.name}</span>
              <span className="ml-2 text-label text-t3">{user.email}</span>
            </p>
            <Link to="/configuration/$section" params={{ section: 'sessions' }} onClick={close} className={lineClasses}>
              <Icon name="lock" className="text-t2" />
              Sessions and password
            </Link>
            <button type="button" onClick={signOut} className={lineClasses}>
              <Icon name="out" className="text-t2" />
              Sign out
            </button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
