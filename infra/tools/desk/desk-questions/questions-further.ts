import { freeDays, terminals } from '../portfolio/desk-cast.ts';
import { dayAt, lastWeek, midnightAfter, shownAt, thisWeek } from '../portfolio/moments.ts';
import { fourBoxes } from '../portfolio/ocean-cast.ts';
import type { Content } from '../question.ts';
import {
  all,
  any,
  asRange,
  by,
  days,
  delayed,
  from,
  happened,
  has,
  howMany,
  is,
  mode,
  ordered,
  perEach,
  to,
  which,
} from './asking.ts';
import { type DeskQuestion, lastContent, namesOf } from './intent.ts';

const saturday = { from: thisWeek.to - 48, to: thisWeek.to };
const underWay = ['pending', 'booked', 'in_transit'];

/** Questions that were written after everything was built. */
export const furtherDesk: DeskQuestion[] = [
  {
    ...{
      kind: 'one number',
      ask: 'Which boxes of HLCUSHA2605044 are still in the port?',
      intent: { want: 'one', number: 'HLCUSHA2605044' },
    },
    read: (answers) =>
      lastContent(answers)
        .containers.filter(({ status }: Content) => ['arrived', 'available_for_pickup'].includes(status))
        .map(({ number }: Content) => number)
        .toSorted(),
    truth: () => fourBoxes.slice(1).toSorted(),
  },
  howMany(
    'free time',
    'For how many do we pay demurrage now?',
    { clock: ['over'] },
    ({ truth }) => truth.lastFreeDay === freeDays.over,
  ),
  which(
    'late',
    'What to the United States is delayed?',
    { to: ['USA'], delayedHours: 1 },
    all(delayed(1), ({ truth }) => truth.destination?.startsWith('US') === true || truth.destination === 'ORD'),
  ),
  which(
    'dates in words',
    'What comes to Hamburg this weekend?',
    { to: ['Hamburg'], arrives: asRange(saturday) },
    all(to('DEHAM'), happened('shownEta', saturday)),
  ),
  which('lists', 'What do we have with Evergreen?', { carrier: ['Evergreen'] }, by('EGLV')),
  {
    ...{
      kind: 'counts and groups',
      ask: 'How many have no arrival date at all?',
      intent: { want: 'count', where: {}, per: 'eta_day' },
    },
    read: (answers) => lastContent(answers).groups_none,
    truth: (mine) => mine.where(({ truth }) => truth.shownEta === null).length,
  },
  perEach(
    'Whose numbers are unknown to the carriers?',
    { tracking: ['awaiting_carrier'] },
    'carrier',
    ({ trackingState }) => trackingState === 'awaiting_carrier',
    ({ registration }) => [registration.carrier],
  ),
  ordered(
    'lists',
    'Which open shipment is the oldest?',
    { want: 'list', where: { status: underWay }, order: 'oldest', first: 1 },
    (mine) =>
      mine
        .where(is(...underWay))
        .slice(0, 1)
        .map(({ name }) => name),
  ),
  {
    ...{
      kind: 'lists',
      ask: 'Somebody read me a number with 8813 in it: whose is it?',
      intent: { want: 'list', where: { text: '8813' } },
    },
    read: namesOf,
    truth: (mine) =>
      mine
        .where(({ registration }) => JSON.stringify(registration.identifiers).includes('8813'))
        .map(({ name }) => name)
        .toSorted(),
  },
  howMany(
    'places by other names',
    'How many come from China, Vietnam or India by sea?',
    { from: ['China', 'Vietnam', 'India'], mode: ['ocean'] },
    all(mode('ocean'), from('CNSHA', 'CNNGB', 'CNYTN', 'VNSGN', 'INNSA')),
  ),
  which(
    'dates in words',
    'What is due in Antwerp since Monday and not collected?',
    { to: ['Antwerp'], arrives: [dayAt(thisWeek.from), dayAt(0)], status: ['arrived', 'available_for_pickup'] },
    all(
      to('BEANR'),
      is('arrived', 'available_for_pickup'),
      ({ truth }) => truth.shownEta !== null && truth.shownEta >= thisWeek.from && truth.shownEta < midnightAfter(1),
    ),
  ),
  which(
    'dates in words',
    'What is due by air within two days?',
    { mode: ['air'], arrives: [shownAt(0), shownAt(48)] },
    all(mode('air'), happened('shownEta', { from: 0, to: 48.001 })),
  ),
  perEach(
    'What did each carrier deliver last week?',
    { delivered: asRange(lastWeek) },
    'carrier',
    happened('delivered', lastWeek),
    ({ registration }) => [registration.carrier],
  ),
  perEach(
    'What left in the last two weeks, by destination?',
    { left: asRange(days(-14, 0)) },
    'destination',
    happened('departed', days(-14, 0)),
    ({ truth }) => [truth.destination ?? '$none'],
  ),
  {
    ...{
      kind: 'many numbers',
      ask: 'Which of PO-7741, PO-7742, PO-7812 and PO-7811 are late?',
      intent: { want: 'many', numbers: ['PO-7741', 'PO-7742', 'PO-7812', 'PO-7811'], where: { delayedHours: 24 } },
    },
    read: namesOf,
    truth: () => ['friday-late', 'late-rotterdam'],
  },
  which(
    'terminals',
    'What costs at the Delta terminal?',
    { text: terminals.delta, clock: ['over'] },
    ({ truth }) => truth.terminal === terminals.delta && truth.lastFreeDay === freeDays.over,
  ),
  ordered(
    'free time',
    'What is the next free-time deadline?',
    { want: 'list', where: { freeUntil: [dayAt(0), null] }, order: 'last free day', first: 1 },
    () => ['free-time-soon'],
  ),
  {
    ...{
      kind: 'vessels',
      ask: 'What is the second ship of ONEYSGN77001?',
      intent: { want: 'one', number: 'ONEYSGN77001', history: true },
    },
    read: (answers) => lastContent(answers).legs.at(-1).vehicle,
    truth: () => 'Northern Gannet',
  },
  {
    ...{
      kind: 'one number',
      ask: 'Who gave us the last word on PO-7813, and when?',
      intent: { want: 'one', number: 'PO-7813' },
    },
    read: (answers) => [lastContent(answers).tracking.state, lastContent(answers).data_as_of],
    truth: () => ['degraded', shownAt(-40)],
  },
  howMany(
    'counts and groups',
    'How many need somebody: anything open, on the road or in the air?',
    { mode: ['road', 'air'], anyTrouble: true },
    all(
      ({ registration }) => ['road', 'air'].includes(registration.transportMode),
      ({ truth }) => truth.exceptions.length > 0,
    ),
  ),
  {
    ...{
      kind: 'archived',
      ask: 'Is anything in the archive still moving?',
      intent: { want: 'list', where: { archived: 'true', status: ['in_transit'] } },
    },
    read: namesOf,
    truth: () => ['archived-under-way'],
  },
  which(
    'lists',
    'What was refused at the door?',
    { trouble: ['delivery_attempt_failed'] },
    all(any, has('delivery_attempt_failed')),
  ),
];
