import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateAlerts, readViewFilter } from '#services/worker/alerts/evaluate-alerts.ts';
import { toWireChange } from '#shared/contract/feed/change-wire.ts';
import { createAlert } from '#shared/core/alerts/alerts.ts';
import { formDueMessages } from '#shared/core/alerts/form-messages.ts';
import { changePreferences } from '#shared/core/alerts/preferences.ts';
import { saveView } from '#shared/core/alerts/saved-views.ts';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { removeMember } from '#shared/core/members/members.ts';
import { addNote } from '#shared/core/notes/add-note.ts';
import { deleteNote } from '#shared/core/notes/delete-note.ts';
import { editNote } from '#shared/core/notes/edit-note.ts';
import { listNotes, listPeople } from '#shared/core/notes/list-notes.ts';
import { releaseAssignments } from '#shared/core/notes/release-assignments.ts';
import { purgeShipment } from '#shared/core/removal/remove-shipments.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
import { mentionOf } from '#shared/domain/notes/mention.ts';
import { maxNotes } from '#shared/domain/notes/note.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { insertMember } from '#shared/store/auth/members.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount, withAuth } from '#shared/store/with-account.ts';
import { type AlertWorld, openAlertWorld, type Person } from '#test/support/alerts/alert-world.ts';

let world: AlertWorld;
let anna: Person;
let ben: Person;
let reader: Person;

beforeAll(async () => {
  world = await openAlertWorld();
  anna = await world.addPerson({ name: 'Anna Berg' });
  ben = await world.addPerson({ name: 'Ben <b>Ode</b>', role: 'member' });
  reader = await world.addPerson({ name: 'Ria Reader', role: 'viewer' });
});
afterAll(() => world.close());

type Entry = { user_id: string; key: string; lines: string[]; message_id: string | null; timing: string };

/** Pending and sent notifications about one shipment. */
async function entriesOf(shipmentId: string): Promise<Entry[]> {
  const { rows } = await world.core.store.system.query<Entry>(
    `select user_id, key, facts -> 'lines' as lines, message_id, timing from landfall.alert_entries
     where shipment_id = $1 order by created_at, user_id`,
    [shipmentId],
  );
  return rows;
}

async function changesOf(shipmentId: string) {
  await world.sequence();
  const query = { after: 0, types: null, shipmentId, narrowedBy: { codes: [], legRoles: [], classifiers: [] } };
  return (await listChanges(world.core.ctx, anna.caller, { ...query, limit: 100 })).changes;
}

async function recordOf(id: string) {
  const { accountId, test } = world.caller;
  const shipment = await withAccount(world.core.store, accountId, (tx) => readShipment(tx, accountId, { id, test }));
  if (shipment === null) throw new Error('the shipment is gone');
  return shipment;
}

describe('notes', () => {
  it('notify the members whom they mention, once, and not their author', async () => {
    const { id: shipmentId, version } = await world.register();
    const text = `${mentionOf(ben.userId)} and ${mentionOf(anna.userId)}, ${mentionOf(ben.userId)}: call them`;
    const { note } = await addNote(world.core.ctx, anna.caller, { shipmentId, text });
    expect(note).toMatchObject({ text, author: { kind: 'member', id: anna.userId, name: 'Anna Berg' }, edits: 0 });
    expect(note.mentions.map(({ userId }) => userId)).toEqual([ben.userId, anna.userId]);
    expect(await entriesOf(shipmentId)).toEqual([
      expect.objectContaining({
        user_id: ben.userId,
        lines: ['Anna Berg mentioned you', '“@Ben <b>Ode</b> and @Anna Berg, @Ben <b>Ode</b>: call them”'],
      }),
    ]);
    expect(await recordOf(shipmentId)).toMatchObject({ notesCount: 1, version: version + 1 });
  });

  it('reach people through their chosen channels, and never those who turned mentions off', async () => {
    const weekly = await world.addPerson({ name: 'Dora Digest' });
    const silent = await world.addPerson({ name: 'Sam Silent' });
    await changePreferences(world.core.ctx, weekly.caller, { timing: 'daily' });
    await changePreferences(world.core.ctx, silent.caller, { mentions: false });
    const { id: shipmentId } = await world.register();
    const text = [weekly, silent].map(({ userId }) => mentionOf(userId)).join(' ');
    await addNote(world.core.ctx, anna.caller, { shipmentId, text });
    expect(await entriesOf(shipmentId)).toEqual([expect.objectContaining({ user_id: weekly.userId, timing: 'daily' })]);
  });

  it('are combined into one message above the limit', async () => {
    const victim = await world.addPerson({ name: 'Vic Tim' });
    const { id: shipmentId } = await world.register();
    for (let times = 0; times < 25; times++)
      await addNote(world.core.ctx, anna.caller, { shipmentId, text: `${times} ${mentionOf(victim.userId)}` });
    const { rows } = await world.core.store.system.query<{ due_at: Date }>(
      'select due_at from landfall.alert_mailboxes where user_id = $1',
      [victim.userId],
    );
    const later = { ...world.core.ctx, now: () => rows[0]?.due_at ?? new Date() };
    while ((await formDueMessages(later, 'mails')) > 0);
    const formed = await world.core.store.system.query(
      'select entries from landfall.alert_messages where user_id = $1',
      [victim.userId],
    );
    expect(formed.rows).toEqual([{ entries: 25 }]);
  });

  it('can be edited by their authors alone, and notify only members who are mentioned for the first time', async () => {
    const { id: shipmentId } = await world.register();
    const { note } = await addNote(world.core.ctx, anna.caller, { shipmentId, text: `One ${mentionOf(ben.userId)}` });
    const edit = (person: Person, text: string) =>
      editNote(world.core.ctx, person.caller, { shipmentId, noteId: note.id, text });
    await expect(edit(ben, 'mine')).rejects.toMatchObject({ code: 'not_the_author' });
    const edited = await edit(anna, `Two ${mentionOf(ben.userId)} ${mentionOf(reader.userId)}`);
    expect(edited).toMatchObject({ edits: 1, editedAt: expect.any(String) });
    expect((await edit(anna, edited.text)).edits).toBe(1);
    const shown = '“Two @Ben <b>Ode</b> @Ria Reader”';
    expect((await entriesOf(shipmentId)).map(({ user_id, lines }) => [user_id, lines[1]])).toEqual(
      expect.arrayContaining([
        [ben.userId, shown],
        [reader.userId, shown],
      ]),
    );
    // Ben has not been notified yet, and is not mentioned any more.
    await edit(anna, `Three ${mentionOf(reader.userId)}`);
    expect((await entriesOf(shipmentId)).map(({ user_id }) => user_id)).toEqual([reader.userId]);
  });

  it('leave no text behind when they are deleted, by their author or an owner', async () => {
    const { id: shipmentId } = await world.register();
    const secret = 'the-secret-of-the-note';
    const text = `${secret} ${mentionOf(reader.userId)}`;
    const { note } = await addNote(world.core.ctx, ben.caller, { shipmentId, text });
    const other = await addNote(world.core.ctx, anna.caller, { shipmentId, text: 'stays' });
    const remove = (person: Person, noteId: string) =>
      deleteNote(world.core.ctx, person.caller, { shipmentId, noteId });
    await expect(remove(ben, other.note.id)).rejects.toMatchObject({ code: 'not_the_author' });
    await archiveShipment(world.core.ctx, anna.caller, shipmentId);
    await remove(anna, note.id);
    await expect(remove(anna, note.id)).rejects.toMatchObject({ code: 'note_not_found' });
    expect((await recordOf(shipmentId)).notesCount).toBe(1);
    expect(await entriesOf(shipmentId)).toEqual([]);
    const changes = await changesOf(shipmentId);
    expect(changes.map(({ type }) => type)).toEqual([
      'shipment.created',
      'shipment.note_added',
      'shipment.note_added',
      'shipment.updated',
      'shipment.note_deleted',
    ]);
    const ofNote = { note_id: encodeTypeId('note', note.id), author: { type: 'member', name: ben.name } };
    expect(changes.map(toWireChange).map(({ data }) => ('note' in data ? data.note : null))).toMatchObject([
      null,
      { ...ofNote, mentions: [encodeTypeId('user', reader.userId)] },
      { author: { name: 'Anna Berg' }, mentions: [] },
      null,
      { ...ofNote, mentions: [] },
    ]);
    expect(JSON.stringify(changes.map(toWireChange))).not.toContain(secret);
    const { rows } = await world.core.store.system.query<{ found: string }>(
      `select query_to_xml(format('select * from landfall.%I', relname), true, false, '')::text as found from pg_class
       where relnamespace = 'landfall'::regnamespace and relkind = 'r' and has_table_privilege(oid, 'select')`,
    );
    expect(rows.some(({ found }) => found.includes('stays'))).toBe(true);
    expect(rows.filter(({ found }) => found.includes(secret))).toEqual([]);
  });

  it('are not written on archived shipments, nor beyond the limit', async () => {
    const { id: shipmentId } = await world.register();
    await world.core.store.system.query('update landfall.shipments set notes_count = $2 where id = $1', [
      shipmentId,
      maxNotes,
    ]);
    const add = () => addNote(world.core.ctx, anna.caller, { shipmentId, text: 'more' });
    await expect(add()).rejects.toMatchObject({ code: 'invalid_state', message: /at most 1000 notes/ });
    await archiveShipment(world.core.ctx, anna.caller, shipmentId);
    await expect(add()).rejects.toMatchObject({ code: 'invalid_state', message: /archived/ });
  });

  it('mention nobody who is not a member, and keep the names of those who have left', async () => {
    const leaver = await world.addPerson({ name: 'Lea Ver' });
    const { id: shipmentId } = await world.register();
    const text = `${mentionOf(leaver.userId)} knows`;
    const { note } = await addNote(world.core.ctx, leaver.caller, { shipmentId, text });
    await removeMember(world.core.ctx, anna.caller, { userId: leaver.userId, revokeKeys: false });
    const again = addNote(world.core.ctx, anna.caller, { shipmentId, text });
    await expect(again).rejects.toMatchObject({ code: 'validation_failed', message: /not a member/ });
    const { notes } = await listNotes(world.core.ctx, anna.caller, { shipmentId, after: null, limit: 10 });
    expect(notes).toMatchObject([
      { id: note.id, author: { name: 'Lea Ver' }, mentions: [{ name: 'Lea Ver', hasLeft: true }] },
    ]);
    expect((await listPeople(world.core.ctx, anna.caller)).map(({ name }) => name)).not.toContain('Lea Ver');
    const stranger = addNote(world.core.ctx, anna.caller, {
      shipmentId,
      text: mentionOf('01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7e'),
    });
    await expect(stranger).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('are removed with their shipment', async () => {
    const { id: shipmentId } = await world.register();
    await addNote(world.core.ctx, anna.caller, { shipmentId, text: `bye ${mentionOf(ben.userId)}` });
    await purgeShipment(world.core.ctx, anna.caller, shipmentId);
    const { rows } = await world.core.store.system.query('select from landfall.notes where shipment_id = $1', [
      shipmentId,
    ]);
    expect(rows).toEqual([]);
    expect(await entriesOf(shipmentId)).toEqual([]);
  });

  it('of one author that race are all counted, and two edits leave one text and two edits', async () => {
    const { id: shipmentId } = await world.register();
    const added = await Promise.all(
      Array.from({ length: 6 }, (_, index) => addNote(world.core.ctx, anna.caller, { shipmentId, text: `n${index}` })),
    );
    expect((await recordOf(shipmentId)).notesCount).toBe(6);
    const noteId = added[0]?.note.id ?? '';
    await Promise.all(
      ['left', 'right'].map((text) => editNote(world.core.ctx, anna.caller, { shipmentId, noteId, text })),
    );
    const { notes } = await listNotes(world.core.ctx, anna.caller, { shipmentId, after: null, limit: 10 });
    expect(notes.find(({ id }) => id === noteId)).toMatchObject({
      edits: 2,
      text: expect.stringMatching(/left|right/),
    });
  });

  it('are invisible to other accounts and to the other mode', async () => {
    const { id: shipmentId } = await world.register();
    const { note } = await addNote(world.core.ctx, anna.caller, { shipmentId, text: 'ours' });
    const stranger = await world.core.newCaller({ test: true });
    for (const caller of [stranger, { ...anna.caller, test: false }]) {
      const missing = { code: 'shipment_not_found' };
      const page = { shipmentId, after: null, limit: 10 };
      await expect(listNotes(world.core.ctx, caller, page)).rejects.toMatchObject(missing);
      await expect(addNote(world.core.ctx, caller, { shipmentId, text: 'x' })).rejects.toMatchObject(missing);
      const place = { shipmentId, noteId: note.id };
      await expect(editNote(world.core.ctx, caller, { ...place, text: 'x' })).rejects.toMatchObject(missing);
      await expect(deleteNote(world.core.ctx, caller, place)).rejects.toMatchObject(missing);
    }
  });
});

describe('assignment', () => {
  const assign = (person: Person, shipmentId: string, assignee: string | null) =>
    updateShipment(world.core.ctx, person.caller, shipmentId, { assignee });

  it('notifies the member unless they did it themselves, and withdraws it when another member gets the shipment first', async () => {
    const { id: shipmentId, version } = await world.register();
    const assigned = await assign(anna, shipmentId, ben.userId);
    expect(assigned).toMatchObject({ assignee: { userId: ben.userId, name: ben.name }, version: version + 1 });
    expect((await assign(anna, shipmentId, ben.userId)).version).toBe(version + 1);
    expect(await entriesOf(shipmentId)).toMatchObject([
      { user_id: ben.userId, lines: ['Anna Berg assigned this shipment to you'] },
    ]);
    await assign(ben, shipmentId, anna.userId);
    expect((await entriesOf(shipmentId)).map(({ user_id }) => user_id)).toEqual([anna.userId]);
    await assign(anna, shipmentId, null);
    await assign(anna, shipmentId, anna.userId);
    expect(await entriesOf(shipmentId)).toEqual([]);
    const changes = (await changesOf(shipmentId)).slice(1).map(toWireChange);
    expect(changes.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => 'shipment.assignee_changed'));
    expect(changes[2]?.data).toMatchObject({ changes: { assignee: [{ name: 'Anna Berg' }, null] } });
  });

  it('refuses people who are not members', async () => {
    const { id: shipmentId } = await world.register();
    const stranger = assign(anna, shipmentId, '01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7e');
    await expect(stranger).rejects.toMatchObject({ code: 'validation_failed', message: /not a member/ });
  });

  it('ends with the membership, with a change in the feed, and stays ended with a new one', async () => {
    const leaver = await world.addPerson({ name: 'Lou Leaves' });
    const shipments = [await world.register(), await world.register()];
    for (const { id } of shipments) await assign(anna, id, leaver.userId);
    await removeMember(world.core.ctx, anna.caller, { userId: leaver.userId, revokeKeys: false });
    while (await releaseAssignments(world.core.ctx));
    for (const { id } of shipments) {
      expect((await recordOf(id)).assignee).toBeNull();
      expect((await changesOf(id)).at(-1)).toMatchObject({
        type: 'shipment.assignee_changed',
        data: { changes: { assignee: [{ name: 'Lou Leaves' }, null] } },
      });
    }
    const { accountId } = world.caller;
    await withAuth(world.core.store, (tx) => insertMember(tx, accountId, { userId: leaver.userId, role: 'member' }));
    const [shipment] = shipments;
    expect(await assign(anna, shipment?.id ?? '', leaver.userId)).toMatchObject({ assignee: { name: 'Lou Leaves' } });
    expect(await releaseAssignments(world.core.ctx)).toBe(false);
  });

  it('of a member who leaves at that moment is refused or released, never kept', async () => {
    for (let times = 0; times < 5; times++) {
      const leaver = await world.addPerson({ name: `Racer ${times}` });
      const { id } = await world.register();
      const [assigned] = await Promise.allSettled([
        assign(anna, id, leaver.userId),
        removeMember(world.core.ctx, anna.caller, { userId: leaver.userId, revokeKeys: false }),
      ]);
      if (assigned.status === 'rejected') expect(assigned.reason).toMatchObject({ code: 'validation_failed' });
      while (await releaseAssignments(world.core.ctx));
      expect((await recordOf(id)).assignee).toBeNull();
    }
  });

  it('filters by a member, me or none; for a key, me matches no shipment', async () => {
    const mine = await world.register({ tags: ['filtered'] });
    const his = await world.register({ tags: ['filtered'] });
    const free = await world.register({ tags: ['filtered'] });
    await assign(anna, mine.id, anna.userId);
    await assign(anna, his.id, ben.userId);
    const found = async (caller: Person['caller'], assignee: string[]) => {
      const filter = { tag: ['filtered'], assignee };
      const page = { filter, sort: 'created_at' as const, limit: 10, cursor: null, withCounts: true };
      const list = await listShipments(world.core.ctx, caller, page);
      expect(list.total).toBe(list.shipments.length);
      return list.shipments.map(({ id }) => id);
    };
    expect(await found(anna.caller, ['me'])).toEqual([mine.id]);
    expect(await found(ben.caller, ['me', 'none'])).toEqual([his.id, free.id]);
    expect(await found(world.caller, [anna.userId, ben.userId])).toEqual([mine.id, his.id]);
    expect(await found(world.caller, ['none'])).toEqual([free.id]);
    await expect(found(world.caller, ['me'])).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('lets a shared view of one’s own shipments alert each member of theirs', async () => {
    const view = await saveView(world.core.ctx, anna.caller, {
      name: 'Mine',
      shared: true,
      search: { view: 'mine' },
      filter: { assignee: ['me'] },
      sort: '-created_at',
    });
    for (const person of [anna, ben])
      await createAlert(world.core.ctx, person.caller, {
        viewId: view.id,
        shipmentId: null,
        rules: { enters: true },
        channels: ['email'],
        timing: 'at_once',
        paused: false,
      });
    const { id } = await world.register();
    await assign(anna, id, anna.userId);
    await world.sequence();
    const evaluating = { core: world.core.ctx, signal: new AbortController().signal };
    while (await evaluateAlerts(evaluating, null));
    expect(await entriesOf(id)).toMatchObject([{ user_id: anna.userId, lines: ['Entered “Mine”'] }]);
    expect(readViewFilter({ assignee: ['me'] })).toEqual({ assignee: ['me'] });
  });
});
