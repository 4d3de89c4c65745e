import {
  afterBreaks,
  flawOf,
  maxElements,
  maxSegmentLength,
  type Segment,
  standsAt,
  withoutBreaks,
} from '../segment.ts';
import { afterBlanks } from '../x12/cut-x12.ts';

type Separators = { component: string; element: string; release: string; terminator: string };

/** The separators of ISO 9735, which a UNA segment replaces. */
const usual: Separators = { component: ':', element: '+', release: '?', terminator: "'" };

/** The separators of its level B. They stand in no text, so that nothing has to be released. */
const levelB: Separators = { component: '\u001F', element: '\u001D', release: '', terminator: '\u001C' };

/**
 * Cuts EDIFACT text into segments. A UNA segment states the separators of the one interchange that follows it; it is no
 * segment of its own here. Line breaks are ignored anywhere unless they are the terminator.
 */
export function* cutEdifact(text: string): Generator<Segment> {
  let offset = afterBlanks(text, text.startsWith('\uFEFF') ? 1 : 0);
  let separators: Separators = usual;
  let position = 0;
  let isStated = false;
  while (offset < text.length) {
    const stated = standsAt(text, offset, 'UNA') ? statedAt(text, offset) : null;
    if (stated !== null) {
      separators = stated.separators;
      offset = afterBlanks(text, stated.end, separators.terminator);
      isStated = true;
      continue;
    }
    if (!isStated && standsAt(text, offset, `UNB${levelB.element}`)) separators = levelB;
    position += 1;
    const end = endOfSegment(text, offset, separators);
    const to = end ?? text.trimEnd().length;
    const terminator = separators.terminator;
    if (to > offset) {
      const written = withoutBreaks(text.slice(offset, Math.min(to, offset + maxSegmentLength)));
      const [first, ...elements] = split(written, separators);
      const tag = first?.[0]?.trim() ?? '';
      const flaw = flawOf(written, to - offset, end === null);
      yield { tag, elements, position, from: offset, to, flaw };
      if (tag === 'UNZ') {
        separators = usual;
        isStated = false;
      }
    } else position -= 1;
    offset = afterBlanks(text, end === null ? text.length : end + 1, terminator);
  }
}

/** The separators of a UNA segment and where it ends. Null: the text ends before. */
function statedAt(text: string, offset: number): { separators: Separators; end: number } | null {
  let end = offset;
  const written: string[] = [];
  for (let count = 0; count < 'UNA:+.? '.length; count++) {
    end = afterBreaks(text, end);
    written.push(text.charAt(end));
    end += 1;
  }
  // A line break here is the terminator where the header follows it; before another character it wraps the line.
  if (!standsAt(text, end, 'UNB') && !standsAt(text, end, 'UNG')) end = afterBreaks(text, end);
  const [component = '', element = '', , release = ''] = written.slice(3);
  const terminator = text.charAt(end);
  if (terminator === '') return null;
  return { separators: { component, element, release: release === ' ' ? '' : release, terminator }, end: end + 1 };
}

/** Returns the position of the segment's terminator: one that is not released. Null: there is none. */
function endOfSegment(text: string, from: number, { release, terminator }: Separators): number | null {
  for (let end = text.indexOf(terminator, from); end >= 0; end = text.indexOf(terminator, end + 1))
    if (release === '' || releasesBefore(text, from, end, release) % 2 === 0) return end;
  return null;
}

/** Counts the release characters directly before this offset, line breaks aside. */
function releasesBefore(text: string, from: number, offset: number, release: string): number {
  let releases = 0;
  for (let place = offset - 1; place >= from; place--) {
    const character = text.charAt(place);
    if (character === release) releases += 1;
    else if (character !== '\n' && character !== '\r') break;
  }
  return releases;
}

function split(segment: string, { component, element, release }: Separators): string[][] {
  const hasRelease = release !== '' && segment.includes(release);
  if (!hasRelease) return segment.split(element, maxElements).map((each) => each.split(component, maxElements));
  const elements: string[][] = [];
  let components: string[] = [];
  let written = '';
  for (let place = 0; place < segment.length && elements.length < maxElements; place++) {
    const character = segment.charAt(place);
    if (character === release) {
      place += 1;
      written += segment.charAt(place);
    } else if (character === element || character === component) {
      components.push(written);
      written = '';
      if (character === element) {
        elements.push(components);
        components = [];
      }
    } else written += character;
  }
  components.push(written);
  elements.push(components);
  return elements;
}
