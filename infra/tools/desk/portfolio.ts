import type { Caller } from '#shared/domain/caller.ts';
import type { TestCore } from '#test/support/core-context.ts';
import { deskCast } from './portfolio/desk-cast.ts';
import { fleet } from './portfolio/fleet.ts';
import { landAndAirCast } from './portfolio/land-and-air-cast.ts';
import { oceanCast } from './portfolio/ocean-cast.ts';
import { type Seeded, seedStories } from './portfolio/seed.ts';
import type { Story } from './portfolio/story.ts';

export type Portfolio = {
  /** Without archived ones. */
  shipments: Seeded[];
  archived: Seeded[];
  /** The story with this name. */
  named: (name: string) => Seeded;
  /** The matching stories, by name. */
  where: (fits: (shipment: Seeded) => boolean) => Seeded[];
  byId: (id: string) => Seeded | undefined;
};

export type Portfolios = { mine: Portfolio; theirs: Portfolio; me: Caller; them: Caller };

/** The prefix of the other account's references. No other text of the portfolio starts like this. */
export const foreignMark = 'ZETA';

/** Two accounts: the one that the questions are about, and another with similar numbers on the same vessels. */
export async function seedPortfolios(core: TestCore): Promise<Portfolios> {
  const [me, them] = [await core.newCaller(), await core.newCaller()];
  const mine = await seedStories(core, me, [...deskCast, ...fleet('PO', 0), ...landAndAirCast, ...oceanCast]);
  const theirs = await seedStories(core, them, [...fleet(foreignMark, 500, 0.2), ...lookAlikes()]);
  return { mine: portfolioOf(mine), theirs: portfolioOf(theirs), me, them };
}

/** Shipments of the other account with exactly the same numbers, or with numbers that differ in one digit. */
function lookAlikes(): Story[] {
  const cast = [...oceanCast, ...landAndAirCast];
  const same = ['late-rotterdam', 'customs-antwerp', 'air-hawb', 'box-again', 'ltl-dallas'];
  const near = ['very-late', 'four-containers', 'wrong-number'];
  return cast
    .filter(({ name }) => same.includes(name) || near.includes(name))
    .map((story, n) => {
      const identifiers = near.includes(story.name)
        ? { mbl: `${story.registration.identifiers.mbl?.slice(0, -1)}9` }
        : story.registration.identifiers;
      return {
        ...story,
        name: `their-${story.name}`,
        registration: { ...story.registration, identifiers, reference: `${foreignMark}-${7000 + n}` },
      };
    });
}

function portfolioOf(all: Seeded[]): Portfolio {
  const shipments = all.filter(({ isArchived }) => !isArchived);
  return {
    shipments,
    archived: all.filter(({ isArchived }) => isArchived),
    named: (name) => {
      const found = all.find((shipment) => shipment.name === name);
      if (found === undefined) throw new Error(`unknown story: ${name}`);
      return found;
    },
    where: (fits) => shipments.filter(fits),
    byId: (id) => all.find((shipment) => shipment.id === id),
  };
}
