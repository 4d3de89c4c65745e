/** Participles of the words that end a journey, in the folded text of seven languages. */
const ended = [
  'delivered|returned|destroyed|disposed|cancell?ed|picked up|collected',
  '(?:zu|aus)gestellt|zugestellt|ausgeliefert|abgeliefert|geliefert|ausgehandigt|ubergeben|abgeholt|vernichtet|entsorgt',
  'bezorgd|afgeleverd|geleverd|afgehaald|opgehaald|vernietigd',
  'livre\\w*|distribue\\w*|remise?s?|retire\\w*|detruit\\w*',
  'entregad\\w+|devuelt\\w+|recogid\\w+|destruid\\w+',
  'doreczon\\w*|dostarczon\\w*|wydan\\w*|odebran\\w*|zwrocon\\w*|zniszczon\\w*',
  'levererad\\w*|levererat\\w*|levereras|utlamnad\\w*|utlamnat\\w*|utlamnas|hamtad\\w*|hamtat\\w*',
].join('|');
const end = `\\b(?:un-?)?(?:${ended})\\b`;
/** Up to so many words, without the end of a clause. */
const words = (count: number) => `(?: [\\w']+){0,${count}}? `;
/** The rest of a clause; the dots of a date do not end it. */
const clause = '(?:[^.;!]|\\.(?= ?\\d)|(?<=\\d)\\.)*?';

/** Ends that did not happen. */
const negated = [
  // "Not home" says why somebody else has it.
  `\\b(?:not|never|\\w+n't)(?! (?:home|present|available|there|in)\\b)${words(4)}${end}`,
  `\\bun-?delivered\\b`,
  `\\b(?:nicht|nie|nooit|niemals)(?! (?:angetroffen|anwesend|zuhause|zu hause))${words(4)}${end}`,
  `\\bniet(?! (?:thuis|aanwezig)\\b)${words(4)}${end}`,
  `\\b(?:pas|non|jamais)(?: ete| encore| pu| etre){0,3} ${end}`,
  `\\bno (?:fue|ha|han|se|pudo|puede|esta|ha sido)\\b${words(4)}${end}`,
  `\\b(?:inte|ej|icke|aldrig)${words(3)}${end}`,
];
/** Ends that are still to come, or that something is to be. */
const intended = [
  `\\b(?:is|are|was|currently)? ?being ${end}`,
  `\\b(?:will|may|can|cannot|could|should|would|shall|must|might|to)${words(3)}be${words(3)}${end}`,
  `\\b(?:kann|konnen|soll|sollen|muss|wird|werden|darf)\\b${clause}${end}`,
  `\\bexpected${words(3)}${end}`,
  `${end} werden\\b`,
  `\\b(?:kan|wordt|worden|zal|zullen|moet)\\b${clause}${end}`,
  `\\b(?:sera|seront|serait|va etre|doit etre|peut etre|pourra etre)${words(3)}${end}`,
  `\\b(?:sera|seran|va a ser|puede ser|debe ser|podra ser)${words(3)}${end}`,
  `\\b(?:zostanie|zostana|bedzie|beda|moze byc|ma byc)${words(3)}${end}`,
  `\\b(?:kommer att|ska|skall|kan|bor)${words(3)}${end}`,
];
/** A delivery to somebody who carries the parcel on. */
const handedOver = [
  '\\bdelivered (?:to|at) (?:the |a |an |our |your |local |next |partner |destination |delivery |sort\\w* |transit )*' +
    '(?:hub|depot|facility|terminal|airline|airport|carrier|sort\\w*|centre|center|usps|broker|forwarder|warehouse)\\b',
  '\\bdelivered in transit\\b',
];
/** What is called off, and what turned up again. */
const calledOff = [
  '\\b(?:pick-?up|pickup|collection|customs\\w*|declaration|return|disposal|delivery attempt)(?: \\w+)? (?:was |is )?cancell?ed\\b',
  '\\bcancell?ed (?:the )?(?:pick-?up|pickup|collection|customs|return|disposal|delivery attempt)\\b',
  '\\blost\\b[^.;]*\\bfound\\b',
];
const notYet = /\b(yet|noch|nog|encore|aun|todavia|jeszcze|annu)\b/;

const undone = new RegExp([...negated, ...intended, ...handedOver, ...calledOff].join('|'), 'g');
const refused = new RegExp(negated.join('|'));
const carriedOn = new RegExp(handedOver.join('|'));

/** Cuts out of a folded text what would read as the end of a journey but says that it has not ended. */
export function cutUndone(text: string): string {
  return text.replace(undone, ' ');
}

/** The meaning of a text of which only an undone end was left. */
export function meaningOfUndone(text: string): 'delivery_attempted' | 'moving' | 'forecast' {
  if (carriedOn.test(text)) return 'moving';
  return refused.test(text) && !notYet.test(text) ? 'delivery_attempted' : 'forecast';
}
