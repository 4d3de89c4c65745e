import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NativeSelect } from '../../parts/inputs/select.tsx';
import { MissingPage } from '../../parts/page-states.tsx';
import { useAccount } from '../session/use-session.ts';
import { AboutSection } from './about-section.tsx';
import { AccountSection } from './account-section.tsx';
import { AuditSection } from './audit-section.tsx';
import { CarrierAccessSection } from './carrier-access/carrier-access-section.tsx';
import { TermsSection } from './free-time/terms-section.tsx';
import { isUsableKey } from './keys/key-state.ts';
import { keysQuery } from './keys/keys-query.ts';
import { KeysSection } from './keys/keys-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { membersQuery } from './members/members.ts';
import { MembersSection } from './members/members-section.tsx';
import { type SectionId, sectionGroups, sectionOf, sections } from './sections.ts';
import { SessionsSection } from './sessions/sessions-section.tsx';
import { SharedPagesSection } from './shared-pages-section.tsx';

const components: Record<SectionId, ComponentType> = {
  account: AccountSection,
  members: MembersSection,
  keys: KeysSection,
  limits: LimitsSection,
  audit: AuditSection,
  carriers: CarrierAccessSection,
  'free-time': TermsSection,
  'shared-pages': SharedPagesSection,
  sessions: SessionsSection,
  about: AboutSection,
};

/** Platform configuration: the list of sections, and one section beside it. */
export function ConfigurationPage() {
  const { section } = useParams({ strict: false });
  const id = sectionOf(section);
  if (id === null) return <MissingPage isInside />;
  const Section = components[id];
  return (
    <div className="flex h-full max-md:flex-col">
      <SubNav current={id} />
      <Section />
    </div>
  );
}

/** The sections in groups; on a phone a select above the section. */
function SubNav({ current }: { current: SectionId }) {
  const navigate = useNavigate();
  const counts = useCounts();
  return (
    <>
      <nav
        aria-label="Platform configuration"
        className="w-[184px] shrink-0 overflow-y-auto border-line border-r p-2 max-md:hidden print:hidden"
      >
        {sectionGroups.map((group) => (
          <section key={group} aria-label={group} className="mb-3">
            <h2 className="flex h-7 items-center px-2 text-label text-t3">{group}</h2>
            <ul>
              {sections
                .filter((section) => section.group === group)
                .map(({ id, name }) => (
                  <li key={id}>
                    <Link
                      to="/configuration/$section"
                      params={{ section: id }}
                      aria-current={id === current ? 'page' : undefined}
                      className="flex h-7.5 items-center justify-between gap-2 rounded-control px-2 text-t2 hover:bg-hover hover:text-t1 aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-t1"
                    >
                      {name}
                      {counts[id] !== undefined && (
                        <span className="font-normal text-label text-t3 tabular-nums">{counts[id]}</span>
                      )}
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className="border-line border-b px-4 py-2 md:hidden print:hidden">
        <NativeSelect
          label="Section"
          labelHidden
          value={current}
          onChange={(event) => navigate({ to: '/configuration/$section', params: { section: event.target.value } })}
        >
          {sectionGroups.map((group) => (
            <optgroup key={group} label={group}>
              {sections
                .filter((section) => section.group === group)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </optgroup>
          ))}
        </NativeSelect>
      </div>
    </>
  );
}

function useCounts(): Partial<Record<SectionId, number>> {
  const { role } = useAccount();
  const keys = useQuery({ ...keysQuery, enabled: role === 'owner' });
  const members = useQuery(membersQuery);
  return {
    ...(keys.data === undefined ? {} : { keys: keys.data.filter((key) => isUsableKey(key, Date.now())).length }),
    ...(members.data === undefined ? {} : { members: members.data.length }),
  };
}
