import type { IconName } from '../parts/icon.tsx';
import { numberLocale } from '../parts/words/locale.ts';
import type { SavedView } from '../screens/shipments/filters/saved-views.ts';
import { type Screen, screens } from './screens.ts';

/** A line of the palette. `go` navigates, `run` names an action. */
export type Command = {
  key: string;
  group: 'Shipments' | 'Track' | 'Screens' | 'Views' | 'Actions';
  name: string;
  icon: IconName;
  /** Shown at the end of the line. */
  hint?: string;
  /** Additional search terms. */
  words?: string;
  go?: { to: string; search?: Record<string, string>; params?: Record<string, string> };
  run?: 'light' | 'dark' | 'system' | 'sign-out' | 'keys';
};

type Person = {
  isOperator: boolean;
  canWrite: boolean /** Undefined while unknown. */;
  needsAttention?: number | undefined;
};

/** All commands of the palette. */
export function commandsFor(
  { isOperator, canWrite, needsAttention }: Person,
  views: readonly Pick<SavedView, 'id' | 'name' | 'search'>[],
): Command[] {
  return [
    ...shownScreens(isOperator).map(
      ({ to, name, icon, keys }): Command => ({ key: to, group: 'Screens', name, icon, hint: keys, go: { to } }),
    ),
    {
      key: 'needs',
      group: 'Views',
      name: 'Needs attention',
      icon: 'shipments',
      words: 'failures exceptions today',
      ...(needsAttention === undefined ? {} : { hint: needsAttention.toLocaleString(numberLocale()) }),
      go: { to: '/', search: { view: 'needs' } },
    },
    {
      key: 'free-time',
      group: 'Views',
      name: 'Free time at risk',
      icon: 'shipments',
      words: 'demurrage detention last free day containers',
      go: { to: '/', search: { view: 'free_time' } },
    },
    ...views.map(
      ({ id, name, search }): Command => ({
        key: `view ${id}`,
        group: 'Views',
        name,
        icon: 'bookmark',
        go: { to: '/', search },
      }),
    ),
    {
      key: 'archived',
      group: 'Views',
      name: 'Archived shipments',
      icon: 'archive',
      go: { to: '/', search: { view: 'archived' } },
    },
    ...(canWrite ? writing : []),
    {
      key: 'terms',
      group: 'Actions',
      name: 'Free-time terms',
      icon: 'configuration',
      words: 'demurrage detention rates calendar',
      go: section('free-time'),
    },
    { key: 'members', group: 'Actions', name: 'Sessions and password', icon: 'lock', go: section('sessions') },
    { key: 'light', group: 'Actions', name: 'Light theme', icon: 'sun', run: 'light' },
    { key: 'dark', group: 'Actions', name: 'Dark theme', icon: 'sun', run: 'dark' },
    { key: 'system', group: 'Actions', name: 'System theme', icon: 'sun', run: 'system' },
    {
      key: 'keys',
      group: 'Actions',
      name: 'Keyboard shortcuts',
      icon: 'more',
      hint: '?',
      words: 'keys help',
      run: 'keys',
    },
    { key: 'out', group: 'Actions', name: 'Sign out', icon: 'out', words: 'log out', run: 'sign-out' },
  ];
}

const writing: readonly Command[] = [
  {
    key: 'track',
    group: 'Actions',
    name: 'Track a shipment',
    icon: 'plus',
    words: 'add register new import',
    go: { to: '/add' },
  },
  {
    key: 'new-key',
    group: 'Actions',
    name: 'New API key',
    icon: 'lock',
    words: 'token secret',
    go: { ...section('keys'), search: { panel: 'new' } },
  },
];

export function shownScreens(isOperator: boolean): readonly Screen[] {
  return screens.filter(({ operatorsOnly }) => !operatorsOnly || isOperator);
}

/** The commands that contain every word as the start of one of their words. */
export function matchingCommands(commands: readonly Command[], text: string): Command[] {
  const sought = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (sought.length === 0) return [...commands];
  return commands.filter(({ name, words = '', group }) => {
    const its = `${name} ${words} ${group}`.toLowerCase().split(/[\s-]+/);
    return sought.every((word) => its.some((one) => one.startsWith(word)));
  });
}

function section(name: string): NonNullable<Command['go']> {
  return { to: '/configuration/$section', params: { section: name } };
}
