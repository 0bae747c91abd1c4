import { fromText } from '../../../shared/bytes.ts';
import { isTableDamaged } from './place-numbers.ts';
import { currentId, isWholePlan } from './plan-files.ts';

/** The derived files of a session that are not as they were written; its next call makes them anew. */
export function damagedFiles(sessionDir: string): string[] {
  const id = currentId(sessionDir);
  return [
    ...(id === null || isWholePlan(`${sessionDir}/plan/${id}`) ? [] : [`${sessionDir}/plan/${id}`]),
    ...(isTableDamaged(fromText(`${sessionDir}/overlay`)) ? [`${sessionDir}/overlay/places.json`] : []),
  ];
}
