import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { WireShareSettings } from '#shared/contract/shares/share-settings-wire.ts';
import { type PageLanguage, pageLanguages } from '#shared/domain/shares/share.ts';
import { call, ofAccount } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../parts/button.tsx';
import { CheckboxLine } from '../../parts/inputs/checkbox.tsx';
import { NativeSelect } from '../../parts/inputs/select.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useAccount } from '../session/use-session.ts';
import { ShareFields } from '../shipment/sharing/share-fields.tsx';
import { shareSettingsQuery } from '../shipment/sharing/share-queries.ts';
import { SectionFrame } from './section-frame.tsx';
import { logoOf, type SettingsDraft, settingsChanges, settingsDraft } from './shared-pages-draft.ts';

const languageNames: Readonly<Record<PageLanguage, string>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  pt: 'Portuguese',
  nl: 'Dutch',
  zh: 'Chinese',
  ja: 'Japanese',
};

/** Sets the appearance of public shipment pages and the default content of new links. */
export function SharedPagesSection() {
  const settings = useQuery(shareSettingsQuery);
  return (
    <SectionFrame title="Shared pages">
      <div className="max-w-xl px-4 py-4 text-body">
        <p className="text-t2">
          A shared page shows one shipment to people without an account. Create links on the page of a shipment, or for
          several selected shipments.
        </p>
        {settings.error !== null && <ProblemNote error={settings.error} className="mt-4" />}
        {settings.data === undefined && settings.error === null && <Skeleton className="mt-6 h-64 w-full" />}
        {settings.data !== undefined && <Settings settings={settings.data} />}
      </div>
    </SectionFrame>
  );
}

function Settings({ settings }: { settings: WireShareSettings }) {
  const isOwner = useAccount().role === 'owner';
  const [draft, setDraft] = useState(() => settingsDraft(settings));
  const changes = settingsChanges(draft, settings);
  const isChanged = Object.keys(changes).length > 0;
  const saving = useMutation({
    mutationFn: () => call('updateShareSettings', { body: changes }, ofAccount),
    onSuccess: (saved) => {
      queryClient.setQueryData(shareSettingsQuery.queryKey, saved);
      setDraft(settingsDraft(saved));
    },
  });
  const problem = saving.error instanceof ProblemError ? saving.error : null;
  const errorOf = (pointer: string) => problem?.errors.find((one) => one.pointer?.startsWith(pointer))?.detail ?? null;
  const change = (changed: Partial<SettingsDraft>) => setDraft({ ...draft, ...changed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) saving.mutate();
  };
  return (
    <form className="mt-6 flex flex-col gap-5" onSubmit={submit}>
      {!settings.enabled && (
        <p className="text-amber">Shared pages are turned off on this installation. Existing links do not work.</p>
      )}
      {!isOwner && <p className="text-t3">Only owners can change these settings.</p>}
      <CheckboxLine
        checked={draft.publicPages}
        disabled={!isOwner}
        hint="If off, no link of this account works, and no new one can be created."
        onChecked={(publicPages) => change({ publicPages })}
      >
        Public pages
      </CheckboxLine>
      <h2 className="font-semibold text-section">Appearance</h2>
      <Logo settings={settings} disabled={!isOwner} />
      <TextField
        label="Name"
        hint="At the top of the page, if there is no logo."
        maxLength={100}
        disabled={!isOwner}
        error={errorOf('/name')}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <AccentColor draft={draft} disabled={!isOwner} error={errorOf('/accent_color')} change={change} />
      <TextField
        label="Help link"
        placeholder="https://www.example.com/help"
        hint="Where readers get help: an https or mailto address."
        maxLength={500}
        disabled={!isOwner}
        error={errorOf('/support_url')}
        value={draft.supportUrl}
        onChange={(event) => change({ supportUrl: event.target.value })}
      />
      <NativeSelect
        label="Language"
        hint="For readers whose browser asks for none of these languages."
        disabled={!isOwner}
        value={draft.language}
        onChange={(event) => change({ language: event.target.value as PageLanguage })}
      >
        {pageLanguages.map((language) => (
          <option key={language} value={language}>
            {languageNames[language]}
          </option>
        ))}
      </NativeSelect>
      <h2 className="mt-3 font-semibold text-section">New links</h2>
      <ShareFields
        choice={{ shows: draft.shows, expiresAfterDays: draft.expiresAfterDays }}
        disabled={!isOwner}
        onChange={({ shows, expiresAfterDays }) => change({ shows, expiresAfterDays })}
      />
      <h2 className="mt-3 font-semibold text-section">Embedding</h2>
      <TextField
        label="Sites that may embed a page"
        placeholder="https://www.example.com"
        hint="Origins, separated by commas. Add ?embed=1 to the link in the frame."
        disabled={!isOwner}
        error={errorOf('/embed_origins')}
        value={draft.embedOrigins}
        onChange={(event) => change({ embedOrigins: event.target.value })}
      />
      {saving.error !== null && <ProblemNote error={saving.error} />}
      {isOwner && (
        <Button kind="primary" type="submit" disabled={!isChanged} busy={saving.isPending} className="self-start">
          Save
        </Button>
      )}
    </form>
  );
}

type ColorProps = {
  draft: SettingsDraft;
  disabled: boolean;
  error: string | null;
  change: (changed: Partial<SettingsDraft>) => void;
};

function AccentColor({ draft, disabled, error, change }: ColorProps) {
  const isColor = /^#[0-9a-f]{6}$/i.test(draft.accentColor);
  return (
    <div className="flex items-end gap-3">
      <TextField
        label="Accent color"
        placeholder="#2456d3"
        className="w-40"
        maxLength={7}
        disabled={disabled}
        error={error}
        value={draft.accentColor}
        onChange={(event) => change({ accentColor: event.target.value })}
      />
      <input
        type="color"
        aria-label="Pick the accent color"
        className="h-8 w-12 rounded-control border border-line2 bg-bg p-1"
        disabled={disabled}
        value={isColor ? draft.accentColor : '#2456d3'}
        onChange={(event) => change({ accentColor: event.target.value })}
      />
    </div>
  );
}

function Logo({ settings, disabled }: { settings: WireShareSettings; disabled: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const keep = (saved: WireShareSettings) => queryClient.setQueryData(shareSettingsQuery.queryKey, saved);
  const sending = useMutation({
    mutationFn: async (file: File) => call('setShareLogo', { body: await logoOf(file) }, ofAccount),
    onSuccess: keep,
  });
  const removing = useMutation({ mutationFn: () => call('removeShareLogo', {}, ofAccount), onSuccess: keep });
  const error = sending.error ?? removing.error;
  return (
    <div className="flex flex-col gap-2">
      <span className="text-label text-t2">Logo</span>
      <div className="flex flex-wrap items-center gap-3">
        {settings.logo !== null && (
          <img
            src={settings.logo}
            alt="The logo"
            className="max-h-10 max-w-[200px] rounded-badge border border-line bg-white p-1"
          />
        )}
        <input
          ref={input}
          type="file"
          accept="image/png,image/svg+xml"
          aria-label="Logo file"
          className="sr-only"
          tabIndex={-1}
          disabled={disabled}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) sending.mutate(file);
            event.target.value = '';
          }}
        />
        <Button disabled={disabled} busy={sending.isPending} onClick={() => input.current?.click()}>
          {settings.logo === null ? 'Upload logo' : 'Replace'}
        </Button>
        {settings.logo !== null && (
          <Button kind="danger" disabled={disabled} busy={removing.isPending} onClick={() => removing.mutate()}>
            Remove
          </Button>
        )}
      </div>
      <p className="text-label text-t3">PNG or SVG, at most 256 KB. Shown at up to 200 × 40 pixels.</p>
      {error !== null && <ProblemNote error={error} />}
    </div>
  );
}
