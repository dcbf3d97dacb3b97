/** What happened in a thread, on each face, and facts that follow from it. */

import type { TimelineItem } from '../../src/reading/threads/thread.ts'
import type { Item } from '../../src/reading/threads/timeline.ts'
import type { Face, Fact } from './facts.ts'
import { pageSeconds, restLogin, restSeconds, secondsOf } from './normal.ts'
import type { Json } from './open-faces.ts'
import type { Happening, ThreadAnswers } from './read-thread.ts'

type Asks = Fact<ThreadAnswers>['asks']

export const sqlHappened = ({ timeline }: ThreadAnswers['sql']): Happening[] =>
  timeline.flatMap(({ kind, what, user_login, created_at }) =>
    kind === 'comment' || kind === 'event' || kind === 'review'
      ? [
          {
            kind,
            what: kind === 'comment' || what === kind ? '' : String(what),
            who: user_login === '(deleted)' ? null : String(user_login),
            time: secondsOf(created_at),
          },
        ]
      : [],
  )

export const itemsHappened = (
  items: readonly (TimelineItem | Item)[],
  seconds: (time: string | null) => number | null,
): Happening[] =>
  items.flatMap((item) => {
    if (item.kind === 'review_thread') return []
    const what = item.kind === 'event' ? item.event : item.kind === 'review' ? item.state : ''
    const { kind, author, created_at } = item
    return [{ kind, what: what ?? '', who: author, time: seconds(created_at) }]
  })

export function restHappened(item: Json): Happening {
  const { event, state, actor, assigner, user, created_at, submitted_at } = item
  if (event === 'commented') {
    return { kind: 'comment', what: '', who: restLogin(user), time: restSeconds(created_at) }
  }
  if (event === 'reviewed') {
    return {
      kind: 'review',
      what: String(state).toLowerCase(),
      who: restLogin(user),
      time: restSeconds(submitted_at),
    }
  }
  return {
    kind: 'event',
    what: String(event),
    who: restLogin(assigner ?? actor),
    time: restSeconds(created_at),
  }
}

const HAPPENED = {
  sql: ({ sql }: ThreadAnswers) => sqlHappened(sql),
  show: ({ show }: ThreadAnswers) => itemsHappened(show.timeline, secondsOf),
  page: ({ page }: ThreadAnswers) => page && itemsHappened(page.items, pageSeconds),
  rest: ({ rest }: ThreadAnswers) => rest?.timeline.map(restHappened),
}

export const keyOf = ({ kind, what, who, time }: Happening): string =>
  `${kind} ${what} ${who} ${time}`

/** A fact that follows from what happened. */
export const happened = (derive: (items: readonly Happening[]) => unknown): Asks => {
  const asks = Object.entries(HAPPENED).map(([face, ask]) => [
    face,
    (answers: ThreadAnswers) => {
      const items = ask(answers)
      return items && derive(items)
    },
  ])
  return Object.fromEntries(asks)
}

export const ofKind = (kind: Happening['kind']) =>
  happened((items) =>
    items
      .filter((item) => item.kind === kind)
      .map(keyOf)
      .sort(),
  )

export const lastOf = (items: readonly Happening[], ...words: string[]): Happening | undefined =>
  items.findLast(({ kind, what }) => kind === 'event' && words.includes(what))

/** What all faces list, in the order of each. */
export function inCommon(values: ReadonlyMap<Face, unknown>): ReadonlyMap<Face, unknown> {
  const lists = [...values.values()] as string[][]
  const [first = [], ...others] = lists
  const common = new Set(first.filter((key) => others.every((list) => list.includes(key))))
  return new Map(
    [...values].map(([f, list]) => [f, (list as string[]).filter((k) => common.has(k))]),
  )
}
