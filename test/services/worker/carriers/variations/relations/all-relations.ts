import type { Relation } from '../relation.ts';
import { pieceRelations } from './piece-relations.ts';
import { placeRelations } from './place-relations.ts';
import { shapeRelations } from './shape-relations.ts';
import { summaryRelations } from './summary-relations.ts';
import { timeRelations } from './time-relations.ts';
import { useRelations } from './use-relations.ts';
import { wordRelations } from './word-relations.ts';

export const relations: readonly Relation[] = [
  ...shapeRelations,
  ...wordRelations,
  ...summaryRelations,
  ...useRelations,
  ...placeRelations,
  ...timeRelations,
  ...pieceRelations,
];
