/** The sections of platform configuration. The path names one: /configuration/keys. */
export const sections = [
  { id: 'account', group: 'Platform', name: 'Account' },
  { id: 'members', group: 'Platform', name: 'Members' },
  { id: 'keys', group: 'Platform', name: 'API keys' },
  { id: 'limits', group: 'Platform', name: 'Limits' },
  { id: 'audit', group: 'Platform', name: 'Audit log' },
  { id: 'carriers', group: 'Tracking', name: 'Carrier access' },
  { id: 'free-time', group: 'Tracking', name: 'Free-time terms' },
  { id: 'shared-pages', group: 'Tracking', name: 'Shared pages' },
  { id: 'sessions', group: 'You', name: 'Sessions and password' },
  { id: 'about', group: 'System', name: 'About' },
] as const;

export type SectionId = (typeof sections)[number]['id'];

export const sectionGroups = [...new Set(sections.map(({ group }) => group))];

/** API keys where the path names no section. Null where it names an unknown one. */
export function sectionOf(text: string | undefined): SectionId | null {
  if (text === undefined) return 'keys';
  return sections.find(({ id }) => id === text)?.id ?? null;
}
