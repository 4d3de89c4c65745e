import type { Caller } from '#shared/domain/caller.ts';
import type { TestCore } from '#test/support/core-context.ts';
import { fleet } from './portfolio/fleet.ts';
import { landAndAirCast } from './portfolio/land-and-air-cast.ts';
import { oceanCast } from './portfolio/ocean-cast.ts';
import { type Seeded, seedStories } from './portfolio/seed.ts';
import type { Story } from './portfolio/story.ts';

export type Portfolio = {
  shipments: Seeded[];
  /** The one of this name. */
  named: (name: string) => Seeded;
  /** Those that fit, by name. */
  where: (fits: (shipment: Seeded) => boolean) => Seeded[];
  byId: (id: string) => Seeded | undefined;
};

export type Portfolios = { mine: Portfolio; theirs: Portfolio; me: Caller; them: Caller };

/** References of the other account begin like this, and no other text of the portfolio does. */
export const foreignMark = 'ZETA';

/** Two accounts: mine, which the questions are about, and another with refresh-alike numbers on the same ships. */
export async function seedPortfolios(core: TestCore): Promise<Portfolios> {
  const [me, them] = [await core.newCaller(), await core.newCaller()];
  const mine = await seedStories(core, me, [...fleet('PO', 0), ...landAndAirCast, ...oceanCast]);
  const theirs = await seedStories(core, them, [...fleet(foreignMark, 500, 0.2), ...lookAlikes()]);
  return { mine: portfolioOf(mine), theirs: portfolioOf(theirs), me, them };
}

/** Shipments of the other account with the very numbers of mine, or with numbers one digit away. */
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

function portfolioOf(shipments: Seeded[]): Portfolio {
  return {
    shipments,
    named: (name) => {
      const found = shipments.find((shipment) => shipment.name === name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    },
    where: (fits) => shipments.filter(fits),
    byId: (id) => shipments.find((shipment) => shipment.id === id),
  };
}
