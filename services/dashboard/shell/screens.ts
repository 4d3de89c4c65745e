import type { IconName } from '../parts/icon.tsx';

export type Screen = { to: string; name: string; icon: IconName; keys: string; operatorsOnly?: boolean };

/** The rail, the tab bar and the palette show these; `keys` are typed one after the other. */
export const screens: readonly Screen[] = [
  { to: '/', name: 'Shipments', icon: 'shipments', keys: 'g s' },
  { to: '/failures', name: 'Failures', icon: 'failures', keys: 'g f' },
  { to: '/map', name: 'Map', icon: 'map', keys: 'g m' },
  { to: '/carriers', name: 'Carriers', icon: 'carriers', keys: 'g c' },
  { to: '/operations', name: 'Operations', icon: 'operations', keys: 'g o', operatorsOnly: true },
  { to: '/developers', name: 'Developers', icon: 'developers', keys: 'g d' },
  { to: '/configuration', name: 'Platform configuration', icon: 'configuration', keys: 'g p' },
];

/** Whether an address is within a screen: a shipment is within Shipments, which is at `/`. */
export function isInside(to: string, pathname: string): boolean {
  if (to === '/') return pathname === '/' || pathname.startsWith('/shipments/') || pathname === '/add';
  return pathname === to || pathname.startsWith(`${to}/`);
}
