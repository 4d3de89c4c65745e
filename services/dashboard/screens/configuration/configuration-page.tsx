import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { MissingPage } from '../../parts/missing-page.tsx';
import { AboutSection } from '../about/about-section.tsx';
import { AuditSection } from '../audit/audit-section.tsx';
import { CarrierAccessSection } from '../carrier-access/carrier-access-section.tsx';
import { KeysSection } from '../keys/keys-section.tsx';
import { LimitsSection } from '../limits/limits-section.tsx';
import { MembersSection } from '../members/members-section.tsx';
import { SessionsSection } from '../sessions/sessions-section.tsx';
import { type SectionId, sectionOf } from './sections.ts';
import { SubNav } from './sub-nav.tsx';

const shown: Record<SectionId, ComponentType> = {
  members: MembersSection,
  keys: KeysSection,
  limits: LimitsSection,
  audit: AuditSection,
  carriers: CarrierAccessSection,
  sessions: SessionsSection,
  about: AboutSection,
};

/** Platform configuration: what there is at the left, one section of it beside. */
export function ConfigurationPage() {
  const { section } = useParams({ strict: false });
  const id = sectionOf(section);
  if (id === null) return <MissingPage isInside />;
  const Section = shown[id];
  return (
    <div className="flex h-full max-md:flex-col">
      <SubNav current={id} />
      <Section />
    </div>
  );
}
