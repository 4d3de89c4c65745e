import type { IconName } from '../parts/icon.tsx';

export type Screen = { to: string; name: string; icon: IconName; keys: string; operatorsOnly?: boolean };

/** The screens in the rail, the tab bar and the palette. `keys` are pressed one after the other. */
export const screens: readonly Screen[] = [
  { to: '/', name: 'Shipments', icon: 'shipments', keys: 'g s' },
  { to: '/failures', name: 'Failures', icon: 'failures', keys: 'g f' },
  { to: '/map', name: 'Map', icon: 'map', keys: 'g m' },
  { to: '/calendar', name: 'Calendar', icon: 'calendar', keys: 'g l' },
  { to: '/carriers', name: 'Carriers', icon: 'carriers', keys: 'g c' },
  { to: '/analytics', name: 'Analytics', icon: 'analytics', keys: 'g n' },
  { to: '/alerts', name: 'Alerts', icon: 'bell', keys: 'g a' },
  { to: '/operations', name: 'Operations', icon: 'operations', keys: 'g o', operatorsOnly: true },
  { to: '/developers', name: 'Developers', icon: 'developers', keys: 'g d' },
  { to: '/configuration', name: 'Platform configuration', icon: 'configuration', keys: 'g p' },
];

/** True when a path belongs to a screen. Shipment pages belong to Shipments, which is at `/`. */
export function isInside(to: string, pathname: string): boolean {
  if (to === '/') return pathname === '/' || pathname.startsWith('/shipments/') || pathname === '/add';
  return pathname === to || pathname.startsWith(`${to}/`);
}
