import { Link, useLocation } from '@tanstack/react-router';
import { Icon } from '../parts/icon.tsx';
import { useSession } from '../screens/session/use-session.ts';
import { PersonMenu } from './person-menu.tsx';
import { isInside, type Screen, screens } from './screens.ts';

/** The navigation. Each icon has a tooltip and an accessible name. */
export function Rail({ failures }: { failures: number }) {
  const { user } = useSession();
  const { pathname } = useLocation();
  const shown = screens.filter(({ operatorsOnly }) => !operatorsOnly || user.is_operator);
  return (
    <nav
      aria-label="Screens"
      className="flex w-14 shrink-0 flex-col items-center gap-1 border-line border-r bg-sunk py-2 max-sm:hidden print:hidden"
    >
      <Link to="/" aria-label="Landfall, all shipments" className="mb-2 grid size-9 place-items-center text-t1">
        <Icon name="landfall" size={22} />
      </Link>
      {shown.map(({ to, name, icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          {...(isInside(to, pathname) ? { 'aria-current': 'page' as const } : {})}
          aria-label={name === 'Failures' && failures > 0 ? `Failures, ${failures} need attention` : name}
          className={`group relative grid size-9 place-items-center rounded-control text-t2 hover:bg-hover hover:text-t1 aria-[current=page]:bg-line aria-[current=page]:text-t1 ${to === '/configuration' ? 'mt-auto' : ''}`}
        >
          <Icon name={icon} />
          {name === 'Failures' && failures > 0 && <Badge count={failures} side="left-6" />}
          <span
            aria-hidden="true"
            className="pointer-events-none absolute left-full z-20 ml-2 hidden whitespace-nowrap rounded-control border border-line2 bg-bg px-2 py-1 text-label text-t1 group-hover:block group-focus-visible:block"
          >
            {name}
          </span>
        </Link>
      ))}
      <PersonMenu />
    </nav>
  );
}

function Badge({ count, side = 'right-0.5' }: { count: number; side?: 'right-0.5' | 'left-6' }) {
  return (
    <span className={`absolute top-0.5 ${side} font-semibold text-[10px] text-red leading-none tabular-nums`}>
      {count > 99 ? '99+' : count}
    </span>
  );
}

const tabClasses = 'flex flex-1 flex-col items-center justify-center gap-1 text-axis text-t2';

/** The navigation on a phone. Further screens are in "More". */
export function TabBar({
  screens,
  failures,
  openMore,
}: {
  screens: readonly Screen[];
  failures: number;
  openMore: () => void;
}) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Screens" className="hidden h-16 shrink-0 border-line border-t bg-bg max-sm:flex print:hidden">
      {screens.map(({ to, name, icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          {...(isInside(to, pathname) ? { 'aria-current': 'page' as const } : {})}
          className={`${tabClasses} aria-[current=page]:font-medium aria-[current=page]:text-accent`}
        >
          <span className="relative">
            <Icon name={icon} />
            {name === 'Failures' && failures > 0 && (
              <span className="absolute -top-1 -right-3">
                <Badge count={failures} />
              </span>
            )}
          </span>
          {name}
        </Link>
      ))}
      <button type="button" onClick={openMore} aria-haspopup="dialog" className={tabClasses}>
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}
