/** Two suites: `npm test` shows each behaviour once, `npm run test:thorough` tries the rest of what is costly and alike. */

import { test } from 'vitest'

/** Options of a test, or of a group, that only the thorough suite runs. */
export const THOROUGH = { tags: ['thorough'] }

/**
 * Divides a table between the suites: the first row of each key is for every day.
 *
 * @returns two parts, each its rows and the options of their tests
 */
export function firstOfEach<T>(rows: readonly T[], keyOf: (row: T) => unknown) {
  const known = new Set<unknown>()
  const isFirst = rows.map((row) => {
    const key = keyOf(row)
    return !known.has(key) && known.add(key) !== undefined
  })
  return [
    [rows.filter((_, i) => isFirst[i]), {}],
    [rows.filter((_, i) => !isFirst[i]), THOROUGH],
  ] as const
}

/** Kinds whose records have the most forms of members: lists, labels, parents, files and derived columns. */
const VARIED = ['users', 'repositories', 'issues', 'pull_requests', 'releases', 'gadgets']

/** Divides a table of kinds between the suites: those of many forms, and one of the others, are for every day. */
export const fewKinds = <T>(rows: readonly (readonly [name: string, kind: T])[]) =>
  firstOfEach(rows, ([name]) => (VARIED.includes(name) ? name : 'others'))

/**
 * `test.each` for a costly table whose rows are alike: the first rows are for every day, the others are thorough.
 *
 * @param count how many are for every day
 */
export const everyDay = (count: number) =>
  ((rows: readonly unknown[]) => (title: string, work: () => void) => {
    test.each(rows.slice(0, count))(title, work)
    test.each(rows.slice(count))(title, THOROUGH, work)
  }) as typeof test.each
