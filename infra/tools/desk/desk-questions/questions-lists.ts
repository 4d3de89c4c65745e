import { freeDays, terminals } from '../portfolio/desk-cast.ts';
import { dayAt, lastWeek, shownAt, thisWeek } from '../portfolio/moments.ts';
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
  isBad,
  mode,
  ordered,
  orNone,
  perEach,
  to,
  which,
} from './asking.ts';
import { type DeskQuestion, lastContent, namesOf } from './intent.ts';

export const listDesk: DeskQuestion[] = [
  which('lists', 'What is held at customs?', { trouble: ['customs_hold'] }, has('customs_hold')),
  which(
    'lists',
    'Show the spring launch.',
    { tag: ['spring-launch'] },
    ({ registration }) => registration.tags?.includes('spring-launch') === true,
  ),
  which('lists', 'What can be picked up?', { status: ['available_for_pickup'] }, is('available_for_pickup')),
  which(
    'lists',
    'Which parcels are out for delivery?',
    { mode: ['parcel'], status: ['out_for_delivery'] },
    all(mode('parcel'), is('out_for_delivery')),
  ),
  which('lists', 'Anything lost or returned?', { status: ['failed', 'returned'] }, is('failed', 'returned')),
  which(
    'lists',
    'What of Lufthansa has not left yet?',
    { carrier: ['Lufthansa'], status: ['pending', 'booked'] },
    all(by('LH'), is('pending', 'booked')),
  ),
  which(
    'lists',
    'Where has tracking failed?',
    { tracking: ['failed'] },
    ({ trackingState }) => trackingState === 'failed',
  ),
  which(
    'lists',
    'Which numbers does no carrier know yet?',
    { tracking: ['awaiting_carrier'] },
    ({ trackingState }) => trackingState === 'awaiting_carrier',
  ),
  which('lists', 'Where is our data old?', { stale: true }, ({ staleFor }) => staleFor !== null),
  which(
    'lists',
    'ONE shipments under way?',
    { carrier: ['Ocean Network Express'], status: ['in_transit'] },
    all(by('ONEY'), is('in_transit')),
  ),
  which(
    'lists',
    'What is on the road?',
    { mode: ['road'], status: ['in_transit'] },
    all(mode('road'), is('in_transit')),
  ),
  which(
    'lists',
    'Everything with trouble on the way to Hamburg?',
    { anyTrouble: true, to: ['Hamburg'] },
    all(isBad, to('DEHAM')),
  ),

  howMany('counts and groups', 'How many shipments are there?', {}, any),
  howMany('counts and groups', 'How many are in transit?', { status: ['in_transit'] }, is('in_transit')),
  howMany('counts and groups', 'How many go by air?', { mode: ['air'] }, mode('air')),
  howMany(
    'counts and groups',
    'How many from China to Germany?',
    { from: ['China'], to: ['Germany'] },
    all(({ truth }) => truth.origin?.startsWith('CN') === true || truth.origin === 'PVG', to('DEHAM', 'FRA')),
  ),
  howMany('counts and groups', 'How many have an open exception?', { anyTrouble: true }, isBad),
  perEach('How many per status?', {}, 'status', any, ({ truth }) => [truth.status]),
  perEach('How many per carrier?', {}, 'carrier', any, ({ registration }) => [registration.carrier]),
  perEach('How many per mode?', {}, 'transport_mode', any, ({ registration }) => [registration.transportMode]),
  perEach('How many to each destination?', {}, 'destination', any, ({ truth }) => orNone(truth.destination)),
  perEach('Ocean freight by origin?', { mode: ['ocean'] }, 'origin', mode('ocean'), ({ truth }) =>
    orNone(truth.origin),
  ),
  perEach('How many to each country by sea?', { mode: ['ocean'] }, 'destination_country', mode('ocean'), ({ truth }) =>
    orNone(truth.destination?.slice(0, 2)),
  ),
  perEach('How many per tag?', {}, 'tag', any, ({ registration }) =>
    (registration.tags?.length ?? 0) > 0 ? (registration.tags ?? []) : ['$none'],
  ),
  perEach(
    'Which exceptions are open, how many of each?',
    { anyTrouble: true },
    'exception',
    isBad,
    ({ truth }) => truth.exceptions,
  ),
  perEach(
    'Whose shipments are late by a day or more?',
    { delayedHours: 24 },
    'carrier',
    delayed(24),
    ({ registration }) => [registration.carrier],
  ),
  perEach(
    'How many arrive on each day of this week?',
    { arrives: asRange(thisWeek) },
    'eta_day',
    happened('shownEta', thisWeek),
    ({ truth }) => [dayAt(truth.shownEta ?? 0)],
  ),
  perEach(
    'How many arrive per week from next week on?',
    { arrives: [dayAt(thisWeek.to), null] },
    'eta_week',
    ({ truth }) => (truth.shownEta ?? -1) >= thisWeek.to,
    ({ truth }) => [weekOf(truth.shownEta ?? 0)],
  ),
  perEach('In which states is tracking?', {}, 'tracking_state', any, ({ trackingState }) => [trackingState]),
  perEach(
    'In-transit ocean freight per destination?',
    { mode: ['ocean'], status: ['in_transit'] },
    'destination',
    all(mode('ocean'), is('in_transit')),
    ({ truth }) => orNone(truth.destination),
  ),

  which('dates in words', 'What arrives today?', { arrives: asRange(days(0, 0)) }, happened('shownEta', days(0, 0))),
  which('dates in words', 'What arrives tomorrow?', { arrives: asRange(days(1, 1)) }, happened('shownEta', days(1, 1))),
  howMany(
    'dates in words',
    'How many arrive this week?',
    { arrives: asRange(thisWeek) },
    happened('shownEta', thisWeek),
  ),
  howMany(
    'dates in words',
    'How many arrive next week?',
    { arrives: [dayAt(thisWeek.to), dayAt(thisWeek.to + 167)] },
    happened('shownEta', { from: thisWeek.to, to: thisWeek.to + 168 }),
  ),
  which('dates in words', 'What left today?', { left: asRange(days(0, 0)) }, happened('departed', days(0, 0))),
  which('dates in words', 'What left yesterday?', { left: asRange(days(-1, -1)) }, happened('departed', days(-1, -1))),
  howMany(
    'dates in words',
    'How many left in the last thirty days?',
    { left: asRange(days(-30, 0)) },
    happened('departed', days(-30, 0)),
  ),
  howMany(
    'dates in words',
    'How many parcels were delivered in the last seven days?',
    { mode: ['parcel'], delivered: asRange(days(-7, 0)) },
    all(mode('parcel'), happened('delivered', days(-7, 0))),
  ),
  which(
    'dates in words',
    'What was delivered by sea last week?',
    { mode: ['ocean'], delivered: asRange(lastWeek) },
    all(mode('ocean'), happened('delivered', lastWeek)),
  ),
  howMany(
    'dates in words',
    'How many were delivered at all?',
    { delivered: ['2000-01-01', null] },
    ({ truth }) => truth.delivered !== null,
  ),
  howMany(
    'dates in words',
    'How many did we register two months ago and earlier?',
    { registered: [null, dayAt(-59 * 24)] },
    ({ registered }) => dayAt(registered) <= dayAt(-59 * 24),
  ),
  which(
    'dates in words',
    'What changed since this time yesterday?',
    { changedSince: shownAt(-24) },
    ({ changedFor }) => changedFor <= 24,
  ),
  howMany(
    'dates in words',
    'How many ocean shipments are due after the end of the month that begins in 20 days?',
    { mode: ['ocean'], arrives: [dayAt(20 * 24), null] },
    all(mode('ocean'), ({ truth }) => truth.shownEta !== null && dayAt(truth.shownEta) >= dayAt(20 * 24)),
  ),
  howMany(
    'dates in words',
    'How many Maersk bills left before last week?',
    { carrier: ['Maersk'], left: [null, dayAt(lastWeek.from - 1)] },
    all(by('MAEU'), ({ truth }) => truth.departed !== null && truth.departed < lastWeek.from),
  ),

  which(
    'late',
    'What is late by two days or more on the way?',
    { delayedHours: 48, status: ['in_transit'] },
    all(delayed(48), is('in_transit')),
  ),
  which(
    'late',
    'What is late to Rotterdam?',
    { delayedHours: 1, to: ['Rotterdam'], status: ['in_transit', 'booked'] },
    all(delayed(1), to('NLRTM'), is('in_transit', 'booked')),
  ),
  which('late', 'Which flights are late?', { mode: ['air'], delayedHours: 1 }, all(mode('air'), delayed(1))),
  howMany(
    'late',
    'How many of CMA CGM are late by two days?',
    { carrier: ['CMA CGM'], delayedHours: 48 },
    all(by('CMDU'), delayed(48)),
  ),
  howMany(
    'late',
    'How many of MSC are late by a day?',
    { carrier: ['MSC'], delayedHours: 24 },
    all(by('MSCU'), delayed(24)),
  ),
  which(
    'late',
    'Which late ones have old data?',
    { delayedHours: 24, stale: true },
    all(delayed(24), ({ staleFor }) => staleFor !== null),
  ),
  ordered(
    'late',
    'Which one has the longest delay?',
    { want: 'list', where: {}, order: 'longest delay', first: 1 },
    () => ['very-late'],
  ),
  which(
    'late',
    'Which Hapag-Lloyd boxes are delayed and still at sea?',
    { carrier: ['Hapag'], trouble: ['delayed'] },
    all(by('HLCU'), has('delayed')),
  ),

  which(
    'free time',
    'Whose free time is over?',
    { clock: ['over'] },
    ({ truth }) => truth.lastFreeDay === freeDays.over,
  ),
  which(
    'free time',
    'Whose free time ends within three days or has ended?',
    { freeUntil: [null, dayAt(72)] },
    ({ truth }) => truth.lastFreeDay !== null && truth.lastFreeDay <= dayAt(72),
  ),
  which(
    'free time',
    'What expires from tomorrow on, this month and next?',
    { freeUntil: [dayAt(24), dayAt(40 * 24)] },
    ({ truth }) => truth.lastFreeDay !== null && truth.lastFreeDay >= dayAt(24),
  ),
  which(
    'free time',
    'What is past its last free day, as the carriers say?',
    { trouble: ['last_free_day_passed'] },
    has('last_free_day_passed'),
  ),

  which(
    'terminals',
    `What stands at ${terminals.delta}?`,
    { text: terminals.delta },
    ({ truth }) => truth.terminal === terminals.delta,
  ),
  which(
    'terminals',
    'What goes to APM Maasvlakte?',
    { text: 'APM Maasvlakte' },
    ({ truth }) => truth.terminal === terminals.maasvlakte,
  ),
  which(
    'terminals',
    'Our boxes at Eurogate?',
    { text: 'eurogate', mode: ['ocean'] },
    ({ truth }) => truth.terminal === terminals.eurogate,
  ),

  which('vessels', 'What is on the Northern Gannet?', { text: 'Northern Gannet' }, ({ truth }) =>
    truth.vessels.includes('Northern Gannet'),
  ),
  which(
    'vessels',
    'What is at sea on the Cedar Bay?',
    { text: 'cedar bay', status: ['in_transit'] },
    all(is('in_transit'), ({ truth }) => truth.vessels.includes('Cedar Bay')),
  ),
  howMany('vessels', 'How many are or were on the Baltic Heron?', { text: 'Baltic Heron' }, ({ truth }) =>
    truth.vessels.includes('Baltic Heron'),
  ),
  howMany(
    'vessels',
    'How many bookings for the Alba Tern have not left?',
    { text: 'Alba Tern', status: ['booked'] },
    all(is('booked'), ({ truth }) => truth.vessels.includes('Alba Tern')),
  ),

  howMany('places by other names', 'How many to the Port of Rotterdam?', { to: ['Port of Rotterdam'] }, to('NLRTM')),
  howMany('places by other names', 'How many to Rotterdam, NL?', { to: ['Rotterdam, NL'] }, to('NLRTM')),
  howMany('places by other names', 'How many to NL RTM?', { to: ['NL RTM'] }, to('NLRTM')),
  howMany('places by other names', 'How many to LA?', { to: ['LA'] }, to('USLAX')),
  howMany('places by other names', 'How many to NYC?', { to: ['NYC'] }, to('USNYC')),
  howMany('places by other names', 'How many to Antwerpen?', { to: ['Antwerpen'] }, to('BEANR')),
  howMany('places by other names', 'How many from Saigon?', { from: ['Saigon'] }, from('VNSGN')),
  howMany(
    'places by other names',
    'How many from 上海?',
    { from: ['上海'], mode: ['ocean'] },
    all(mode('ocean'), from('CNSHA')),
  ),
  howMany('places by other names', 'How many from JNPT (Nhava Sheva)?', { from: ['Nhava Sheva'] }, from('INNSA')),
  howMany(
    'places by other names',
    'How many to Deutschland by sea?',
    { to: ['Deutschland'], mode: ['ocean'] },
    all(mode('ocean'), to('DEHAM')),
  ),
  howMany(
    'places by other names',
    'How many flights to Frankfurt?',
    { to: ['FRA'], mode: ['air'] },
    all(mode('air'), to('FRA')),
  ),
  howMany(
    'places by other names',
    'How many from the People’s Republic of China by sea?',
    { from: ['cn'], mode: ['ocean'] },
    all(mode('ocean'), from('CNSHA', 'CNNGB', 'CNYTN')),
  ),

  {
    ...{ kind: 'archived', ask: 'What is in the archive?', intent: { want: 'list', where: { archived: 'true' } } },
    read: namesOf,
    truth: (mine) => mine.archived.map(({ name }) => name).toSorted(),
  },
  {
    ...{ kind: 'archived', ask: 'How many with the archive?', intent: { want: 'count', where: { archived: 'any' } } },
    read: (answers) => lastContent(answers).total,
    truth: (mine) => mine.shipments.length + mine.archived.length,
  },
  which(
    'archived',
    'And what of PO-5001 and PO-5002 is in the usual list?',
    { order: ['PO-5001', 'PO-5002'] },
    () => false,
  ),

  ordered(
    'lists',
    'Which three arrive next?',
    { want: 'list', where: { arrives: [shownAt(0), null] }, order: 'arrival', first: 3 },
    (mine) =>
      mine
        .where(({ truth }) => truth.shownEta !== null && truth.shownEta >= 0)
        .toSorted((left, right) => (left.truth.shownEta ?? 0) - (right.truth.shownEta ?? 0))
        .slice(0, 3)
        .map(({ name }) => name),
  ),
  which(
    'follow-ups with a cursor',
    'List everything in transit by sea.',
    { mode: ['ocean'], status: ['in_transit'] },
    all(mode('ocean'), is('in_transit')),
  ),
  which(
    'follow-ups with a cursor',
    'List all parcels and trucks to Seattle and Atlanta.',
    { to: ['Seattle', 'Atlanta'] },
    to('USSEA', 'USATL'),
  ),
  which(
    'follow-ups with a cursor',
    'List all of Maersk and Hapag-Lloyd.',
    { carrier: ['MAEU', 'Hapag-Lloyd'] },
    by('MAEU', 'HLCU'),
  ),
];

/** The ISO week of a day, by the rule of the standard: the week of its Thursday. */
function weekOf(hour: number): string {
  const day = new Date(`${dayAt(hour)}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const first = new Date(Date.UTC(day.getUTCFullYear(), 0, 1));
  const week = Math.ceil(((day.getTime() - first.getTime()) / 86_400_000 + 0.5) / 7);
  return `${day.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
