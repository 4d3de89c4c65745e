import type { WireInvite } from '#shared/contract/people/people-wire.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { StatusGlyph } from '../../parts/status-glyph.tsx';
import { dayWords } from '../../parts/time-words.ts';
import { WarningMark } from '../../parts/warning-mark.tsx';
import { Facts } from '../configuration/facts.tsx';
import { SidePanel } from '../configuration/side-panel.tsx';
import { capital } from '../keys/scope-words.ts';

/** The link, once. A lost one costs nothing: inviting the address again makes another and ends this one. */
export function InviteLink({ invite, close }: { invite: WireInvite & { link: string }; close: () => void }) {
  return (
    <SidePanel
      title="Link made"
      mark={<StatusGlyph status="delivered" />}
      close={close}
      footer={
        <Button kind="primary" className="ml-auto" onClick={close}>
          Done
        </Button>
      }
    >
      <div className="border-line border-b p-5">
        <Facts
          rows={[
            ['For', invite.email],
            ['Role', capital(invite.role)],
            ['Expires', dayWords(invite.expires_at)],
          ]}
        />
      </div>
      <section aria-label="Link" className="p-5">
        <h3 className="mb-1.5 text-label text-t2">Link</h3>
        <div className="flex min-h-10 items-center gap-2 rounded-control border border-line2 py-1 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 select-all break-all font-mono text-number">{invite.link}</code>
          <CopyButton text={invite.link} kind="strong" name="the link" />
        </div>
        <p className="mt-2 flex gap-2 text-t2">
          <span className="mt-[3px]">
            <WarningMark severity="warning" />
          </span>
          <span>
            Shown this once. Who opens it first becomes {invite.email} here, so send it to them alone. Lost it? Invite
            the address again: the new link ends this one.
          </span>
        </p>
      </section>
    </SidePanel>
  );
}
