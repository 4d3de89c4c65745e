import { airWaybill } from '../portfolio/land-and-air-cast.ts';
import { foreignMark } from '../portfolio.ts';
import { type DeskQuestion, lastContent, namesOf, type Where } from './intent.ts';

type Kind = DeskQuestion['kind'];

/** No such number: the answer has to say so, and what to do instead. */
function unknown(kind: Kind, ask: string, number: string, says: RegExp): DeskQuestion {
  return {
    ...{ kind, ask, intent: { want: 'one', number } },
    read: ([first]) => [first?.isError, says.test(first?.text ?? '')],
    truth: () => [true, true],
  };
}

function none(kind: Kind, ask: string, where: Where, says: RegExp): DeskQuestion {
  return {
    ...{ kind, ask, intent: { want: 'list', where } },
    read: ([first], mine) => [first === undefined ? null : namesOf([first], mine), says.test(first?.text ?? '')],
    truth: () => [[], true],
  };
}

export const nothingDesk: DeskQuestion[] = [
  unknown(
    'nothing found',
    'Where is ABCD1234567890X?',
    'ABCD1234567890X',
    /No shipment has the number ABCD1234567890X.*POST \/v1\/shipments/,
  ),
  unknown('nothing found', 'Where is MAEU260001003? (Nobody has it.)', 'MAEU260001003', /Nearest: MAEU26000100/),
  unknown('nothing found', 'Where is MSKU4015281? (A digit is wrong.)', 'MSKU4015270', /check digit is wrong|Nearest/),
  none('nothing found', 'What goes to Gothenburg?', { to: ['Göteborg'] }, /Nearest destinations: .+\(\w+, \d+\)/),
  none('nothing found', 'What goes to Roterdam? (As typed.)', { to: ['Roterdam'] }, /Rotterdam \(NLRTM, \d+\)/),
  none(
    'nothing found',
    'Any ZIM shipments delivered?',
    { carrier: ['ZIM'], status: ['delivered'] },
    /No matches in this account/,
  ),
  {
    ...{
      kind: 'nothing found',
      ask: 'What does Hamburg Southern carry?',
      intent: { want: 'list', where: { carrier: ['Hamburg Southern'] } },
    },
    read: ([first]) => [first?.isError, /Carriers of this account: .*MAEU/.test(first?.text ?? '')],
    truth: () => [true, true],
  },
  {
    ...{
      kind: 'other accounts',
      ask: 'What has our rival on the Cedar Bay?',
      intent: { want: 'list', where: { text: foreignMark } },
    },
    read: namesOf,
    truth: () => [],
  },
  unknown('other accounts', `Where is ${foreignMark}-MAEU-0?`, `${foreignMark}-MAEU-0`, /No shipment has the number/),
  {
    ...{
      kind: 'other accounts',
      ask: 'And these two of theirs?',
      intent: { want: 'many', numbers: [`${foreignMark}-7000`, `${foreignMark}-HLCU-1`] },
    },
    read: (answers, mine) => [namesOf(answers, mine), lastContent(answers).not_found],
    truth: () => [[], [`${foreignMark}-7000`, `${foreignMark}-HLCU-1`]],
  },
  {
    ...{
      kind: 'other accounts',
      ask: 'Whose is the waybill that both accounts have?',
      intent: { want: 'one', number: airWaybill },
    },
    read: (answers, mine) => mine.byId(lastContent(answers).shipment_id)?.name,
    truth: () => 'air-hawb',
  },
];
