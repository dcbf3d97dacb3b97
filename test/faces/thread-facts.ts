/** The facts about issues and pull requests. */

import { placeOf } from '../../src/reading/names.ts'
import type { Thread, TimelineItem } from '../../src/reading/threads/thread.ts'
import type { Item } from '../../src/reading/threads/timeline.ts'
import type { Face, Fact } from './facts.ts'
import {
  happened,
  inCommon,
  itemsHappened,
  keyOf,
  lastOf,
  ofKind,
  restHappened,
  sqlHappened,
} from './happened.ts'
import {
  dayOf,
  elementsOf,
  pageSeconds,
  reactionsOf,
  restLogin,
  restSeconds,
  secondsOf,
  sorted,
} from './normal.ts'
import type { Json } from './open-faces.ts'
import type { Happening, SqlRow, ThreadAnswers } from './read-thread.ts'

type Asks = Fact<ThreadAnswers>['asks']

const fact = (
  name: string,
  asks: Asks,
  align?: Fact<ThreadAnswers>['align'],
): Fact<ThreadAnswers> => ({ name, asks, ...(align && { align }) })

/** Only pull requests have it. */
const ofPull = (
  name: string,
  asks: Asks,
  align?: Fact<ThreadAnswers>['align'],
): Fact<ThreadAnswers> => {
  const only =
    (ask: (answers: ThreadAnswers) => unknown) =>
    (answers: ThreadAnswers): unknown =>
      answers.sql.row.kind === 'pull_request' ? ask(answers) : undefined
  return { name, asks: mapAsks(asks, only), ...(align && { align }) }
}

const mapAsks = (
  asks: Asks,
  change: (ask: (answers: ThreadAnswers) => unknown) => (answers: ThreadAnswers) => unknown,
): Asks => Object.fromEntries(Object.entries(asks).map(([face, ask]) => [face, change(ask)]))

// People of reviews

/** The last verdict of each reviewer. */
function verdictsOf(items: readonly Happening[]): string[] {
  const verdicts = new Map<string | null, string>()
  for (const { kind, what, who } of items) {
    if (kind === 'review' && what !== 'pending' && what !== 'commented') verdicts.set(who, what)
  }
  return [...verdicts].map(([who, what]) => `${who} ${what}`).sort()
}

/** Reviews that are asked for, as the page lists them. */
const requestedOn = (html: string): string[] =>
  [...html.matchAll(/<p class="row">((?:(?!<\/p>).)*)title="requested"/gs)].flatMap(
    ([, row = '']) => nameIn(row) ?? [],
  )

/** The name of a person in HTML. */
const nameIn = (html: string): string | undefined => {
  const [, path] = /class="person" href="\/([^"]*)"/.exec(html) ?? []
  if (path !== undefined) return decodeURIComponent(path)
  return /<span class="person">ghost/.test(html) ? 'ghost' : undefined
}

/** Who merged, in the first line of the page. */
const mergedOn = (html: string): string | null => {
  const [, line = ''] = /<span class="said">(.*?)<\/p>/s.exec(html) ?? []
  const [who = '', ...rest] = line.split(' merged <code')
  return rest.length === 0 ? null : (nameIn(who) ?? null)
}

// Names of labels, people and threads

const listed = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(', ').sort()

const names = (values: unknown): string[] =>
  sorted((values as readonly Json[]).map(({ name }) => String(name)))

const LABELS = `SELECT l.name FROM threads AS t, json_each(t.labels) AS e
  LEFT JOIN labels AS l ON l.url = e.value WHERE t.url = :url`

const participantsOf = (thread: Thread, timeline: readonly (TimelineItem | Item)[]) => {
  const said = timeline.flatMap((item) => {
    if (item.kind === 'event') return []
    if (item.kind === 'comment') return [item.author]
    const threads = item.kind === 'review' ? item.threads : [item]
    const comments = threads.flatMap((each) => each.comments.map(({ author }) => author))
    return item.kind === 'review' ? [item.author, ...comments] : comments
  })
  return sorted([...new Set([thread.author, ...said])].filter((login) => login !== null))
}

const places = (urls: readonly unknown[]): string[] => sorted(urls.map((url) => placeOf(url)))

const isListed = (page: ThreadAnswers['page']): boolean | undefined =>
  page && page.row !== undefined

// Linked threads

const linked = (threads: readonly { readonly url?: unknown; readonly how?: unknown }[]): string[] =>
  sorted(threads.map(({ url, how }) => `${placeOf(url)} ${how}`))

const CLOSED_BY = `SELECT p.url, c.how FROM closing_pull_requests AS c JOIN pull_requests AS p ON p.url = c.pull_request
  WHERE c.issue = :url AND c.how <> 'did not close' AND p.number IS NOT NULL`
const CLOSES = `SELECT i.url, c.how FROM closing_pull_requests AS c JOIN issues AS i ON i.url = c.issue
  WHERE c.pull_request = :url AND i.number IS NOT NULL`

// Uploads

const UPLOADS = `SELECT DISTINCT u.url FROM uploads AS u WHERE u.kind = 'attachment' AND u.stored
  AND u.parent IN (SELECT i.url FROM timeline AS i WHERE i.thread = :url)
  UNION SELECT u.url FROM uploads AS u, timeline AS i
  WHERE u.kind = 'repository_file' AND u.stored AND i.thread = :url AND instr(i.body, u.url)`

// Lines

/** Comments whose thread has a record: it says their lines. */
const LINES = `SELECT c.user, c.created_at, t.path, coalesce(t.line, t.original_line) AS line,
    iif(t.line IS NULL, t.original_start_line, t.start_line) AS start_line
  FROM pull_request_review_comments AS c
  JOIN pull_request_review_threads AS t ON t.url = c.pull_request_review_thread
  WHERE c.pull_request = :url`

const lineOf = (
  who: string | null,
  time: number | null,
  { path, line, start_line }: { path?: unknown; line?: unknown; start_line?: unknown },
): string => `${who} ${time}: ${path ?? null} ${start_line ?? null} ${line ?? null}`

const linesOf = (
  items: readonly (TimelineItem | Item)[],
  seconds: (time: string | null) => number | null,
): string[] =>
  items
    .flatMap((item) =>
      item.kind === 'review' ? item.threads : item.kind === 'review_thread' ? [item] : [],
    )
    .flatMap((thread) =>
      thread.comments.map(({ author, created_at }) => lineOf(author, seconds(created_at), thread)),
    )

/** The lines of comments that all faces have: some lack comments without a record of their thread, or not handed in. */
function ofCommonComments(values: ReadonlyMap<Face, unknown>): ReadonlyMap<Face, unknown> {
  const commentOf = (line: string) => line.slice(0, line.indexOf(': '))
  const lists = [...values.values()] as string[][]
  const sets = lists.map((list) => new Set(list.map(commentOf)))
  const isCommon = (line: string) => sets.every((set) => set.has(commentOf(line)))
  return new Map(
    [...values].map(([face, list]) => [face, (list as string[]).filter(isCommon).sort()]),
  )
}

/** Every fact about a thread. */
export const THREAD_FACTS: readonly Fact<ThreadAnswers>[] = [
  fact('is at its number', {
    sql: () => true,
    show: ({ show }) => show.isFound,
    page: ({ page }) => page?.isFound,
    rest: ({ isServed, page }) => page && isServed,
  }),
  fact('is in lists', {
    sql: () => true,
    page: ({ page }) => isListed(page),
    rest: ({ rest }) => rest?.isListed,
  }),
  fact('title', {
    sql: ({ sql }) => sql.row.title ?? '',
    show: ({ show }) => show.thread.title ?? '',
    markdown: ({ markdown }) => markdown.title,
    page: ({ page }) => page && (page.thread.title ?? ''),
    rest: ({ rest }) => rest?.issue.title,
  }),
  fact('author', {
    sql: ({ sql }) => sql.row.user_login,
    show: ({ show }) => show.thread.author,
    markdown: ({ markdown }) => markdown.author,
    page: ({ page }) => page?.thread.author,
    rest: ({ rest }) => rest && restLogin(rest.issue.user),
  }),
  fact('when opened', {
    sql: ({ sql }) => secondsOf(sql.row.created_at),
    show: ({ show }) => secondsOf(show.thread.created_at),
    page: ({ page }) => page && pageSeconds(page.thread.created_at),
    rest: ({ rest }) => rest && restSeconds(rest.issue.created_at),
  }),
  fact('day opened', {
    sql: ({ sql }) => dayOf(secondsOf(sql.row.created_at)),
    markdown: ({ markdown }) => markdown.openedOn,
  }),
  fact('state', {
    sql: ({ sql }) => sql.row.state,
    show: ({ show }) => show.thread.state,
    markdown: ({ markdown }) => markdown.state,
    page: ({ page }) => page?.thread.state,
    rest: ({ rest }) => rest && (rest.pull?.merged ? 'merged' : rest.issue.state),
  }),
  fact('is closed', {
    sql: ({ sql }) => sql.row.state !== 'open',
    show: ({ show }) => show.thread.state !== 'open',
    page: ({ page }) => page?.isClosed,
    rest: ({ rest }) => rest && rest.issue.state === 'closed',
  }),
  fact('when closed', {
    sql: ({ sql }) => secondsOf(sql.row.closed_at),
    show: ({ show }) => secondsOf(show.thread.closed_at),
    page: ({ page }) => page && pageSeconds(page.thread.closed_at),
    rest: ({ rest }) => rest && secondsOf(rest.issue.closed_at),
  }),
  ofPull('when merged', {
    sql: ({ sql }) => secondsOf(sql.row.merged_at),
    show: ({ show }) => secondsOf(show.thread.pull_request?.merged_at),
    page: ({ page }) => page && pageSeconds(page.thread.pull_request?.merged_at ?? null),
    rest: ({ rest }) => rest && secondsOf(rest.pull?.merged_at),
  }),
  ofPull('who merged', {
    sql: ({ sql }) =>
      sql.login(sql.ask('SELECT merged_by FROM thread_facts WHERE url = :url')[0]?.merged_by),
    show: ({ show }) => show.thread.pull_request?.merged_by,
    page: ({ page }) => page?.html && mergedOn(page.html),
    rest: ({ rest }) => {
      const by = rest?.pull?.merged_by as Json | null | undefined
      return rest && (by ? (restLogin(by) ?? 'ghost') : null)
    },
  }),
  ofPull('is a draft', {
    sql: ({ sql }) =>
      sql.ask('SELECT work_in_progress AS draft FROM pull_requests WHERE url = :url')[0]?.draft ===
      1,
    show: ({ show }) => show.thread.pull_request?.draft,
    markdown: ({ markdown }) => markdown.isDraft,
    page: ({ page }) => page?.row && page.row.draft === 1,
    rest: ({ rest }) => rest?.pull?.draft,
  }),
  fact('labels', {
    sql: ({ sql }) =>
      sorted(sql.ask(LABELS).flatMap(({ name }) => (name === null ? [] : String(name)))),
    show: ({ show }) => sorted(show.thread.labels),
    markdown: ({ markdown }) => listed(markdown.facts.get('labels')),
    page: ({ page }) => page?.row && names(page.row.labels),
    rest: ({ rest }) => rest && names(rest.issue.labels),
  }),
  fact('assignees', {
    sql: ({ sql }) => {
      const [facts] = sql.ask('SELECT assignees FROM thread_facts WHERE url = :url')
      return sorted(elementsOf(facts?.assignees).map(sql.login))
    },
    show: ({ show }) => sorted(show.thread.assignees),
    markdown: ({ markdown }) => listed(markdown.facts.get('assignees')),
    page: ({ page }) => page?.row && sorted(page.row.assignees),
    rest: ({ rest }) =>
      rest && sorted((rest.issue.assignees as Json[]).map((each) => restLogin(each) ?? 'ghost')),
  }),
  fact('milestone', {
    sql: ({ sql }) =>
      sql.ask('SELECT milestone_title AS title FROM thread_facts WHERE url = :url')[0]?.title ??
      null,
    show: ({ show }) => show.thread.milestone,
    markdown: ({ markdown }) => {
      const milestone = markdown.facts.get('milestone') ?? null
      return milestone?.endsWith(', not in the archive') ? null : milestone
    },
    page: ({ page }) => page && (page.facts.milestone?.title ?? null),
    rest: ({ rest }) => rest && ((rest.issue.milestone as Json | null)?.title ?? null),
  }),
  fact('reactions', {
    sql: ({ sql }) =>
      reactionsOf(
        sql.ask('SELECT content FROM reactions WHERE subject = :url').map(({ content }) => content),
      ),
    show: ({ show }) =>
      Object.entries(show.thread.reactions)
        .map((each) => each.join(' '))
        .sort(),
    page: ({ page }) =>
      page &&
      Object.entries(page.thread.reactions)
        .map((each) => each.join(' '))
        .sort(),
    rest: ({ rest }) => rest && reactionsOf(rest.reactions.map(({ content }) => content)),
  }),
  fact('number of comments', {
    sql: ({ sql }) => sql.timeline.filter(({ kind }) => kind === 'comment').length,
    show: ({ show }) => show.timeline.filter(({ kind }) => kind === 'comment').length,
    markdown: ({ markdown }) => markdown.comments,
    page: ({ page }) => page?.row?.comments,
    rest: ({ rest }) => rest?.issue.comments,
  }),
  fact('participants', {
    sql: ({ sql }) =>
      sorted([
        ...new Set(
          sql.timeline.flatMap(({ kind, user_login }) =>
            kind === 'event' || user_login === '(deleted)' ? [] : String(user_login),
          ),
        ),
      ]),
    show: ({ show }) => participantsOf(show.thread, show.timeline),
    // A page names the first ones.
    page: ({ page }) =>
      page && page.facts.participantCount === page.facts.participants.length
        ? sorted(page.facts.participants)
        : undefined,
  }),
  fact('number of participants', {
    sql: ({ sql }) =>
      sql.ask('SELECT participants FROM thread_facts WHERE url = :url')[0]?.participants,
    page: ({ page }) => page?.facts.participantCount,
  }),
  fact('comments', ofKind('comment')),
  fact('events', ofKind('event')),
  fact('reviews', ofKind('review')),
  fact(
    'order of the timeline',
    happened((items) => items.map(keyOf)),
    inCommon,
  ),
  fact('actors and days in Markdown', {
    show: ({ show }) =>
      itemsHappened(show.timeline, secondsOf).map(
        ({ who, time }) => `${who} ${dayOf(time as number)}`,
      ),
    markdown: ({ markdown }) => markdown.happened.map(({ who, day }) => `${who} ${day}`),
  }),
  fact('is locked', {
    ...happened((items) => lastOf(items, 'locked', 'unlocked')?.what === 'locked'),
    rest: ({ rest }) => rest?.issue.locked,
  }),
  fact('why it is locked', {
    sql: ({ sql }) =>
      sql.ask('SELECT lock_reason FROM thread_facts WHERE url = :url')[0]?.lock_reason,
    show: ({ show }) => show.thread.lock_reason,
    page: ({ page }) => page?.thread.lock_reason,
    rest: ({ rest }) => rest?.issue.active_lock_reason,
  }),
  fact('who closed', {
    sql: ({ sql }) => closerOf(sql.row, sqlHappened(sql)),
    show: ({ sql, show }) => closerOf(sql.row, itemsHappened(show.timeline, secondsOf)),
    rest: ({ rest }) => rest && restLogin(rest.issue.closed_by),
  }),
  ofPull('requested reviewers', {
    sql: ({ sql }) =>
      sorted(
        sql
          .ask('SELECT DISTINCT user_login FROM requested_reviewers WHERE pull_request = :url')
          .map(({ user_login }) => String(user_login)),
      ),
    show: ({ show }) => sorted(show.thread.pull_request?.review_requests ?? []),
    markdown: ({ markdown }) => listed(markdown.facts.get('reviewers')),
    page: ({ page }) => page?.html && sorted(requestedOn(page.html)),
    rest: ({ rest }) =>
      rest?.pull &&
      sorted((rest.pull.requested_reviewers as Json[]).map((each) => restLogin(each) ?? 'ghost')),
  }),
  ofPull('last verdict of each reviewer', {
    ...happened(verdictsOf),
    page: ({ page }) =>
      page?.facts.reviewers
        .filter(({ state }) => state !== 'commented')
        .map(({ author, state }) => `${author} ${state}`)
        .sort(),
    rest: ({ rest }) =>
      rest && verdictsOf(rest.reviews.map((each) => restHappened({ ...each, event: 'reviewed' }))),
  }),
  ofPull('review comments', {
    sql: ({ sql }) =>
      sql.timeline
        .filter(({ kind, what }) => kind === 'review_comment' && what === kind)
        .map(
          (row) =>
            `${row.user_login === '(deleted)' ? null : row.user_login} ${secondsOf(row.created_at)}`,
        )
        .sort(),
    rest: ({ rest }) =>
      rest?.reviewComments
        .map((each) => `${restLogin(each.user)} ${restSeconds(each.created_at)}`)
        .sort(),
  }),
  fact('uploads with their bytes', {
    sql: ({ sql }) => sorted(sql.ask(UPLOADS).map(({ url }) => String(url))),
    page: ({ page }) => page?.uploads,
    rest: ({ rest }) => rest?.uploads,
  }),
  ofPull(
    'lines of review comments',
    {
      sql: ({ sql }) =>
        sql.ask(LINES).map((row) => lineOf(sql.login(row.user), secondsOf(row.created_at), row)),
      show: ({ show }) => linesOf(show.timeline, secondsOf),
      page: ({ page }) => page && linesOf(page.items, pageSeconds),
      rest: ({ rest }) =>
        rest?.reviewComments.map((each) =>
          lineOf(restLogin(each.user), restSeconds(each.created_at), {
            path: each.path,
            line: each.line ?? each.original_line,
            start_line: each.line === null ? each.original_start_line : each.start_line,
          }),
        ),
    },
    ofCommonComments,
  ),
  fact('closed by', {
    sql: ({ sql }) => (sql.row.kind === 'issue' ? linked(sql.ask(CLOSED_BY)) : undefined),
    page: ({ sql, page }) =>
      sql.row.kind === 'issue' && page ? linked(page.facts.closedBy) : undefined,
  }),
  ofPull('what closing comes to', {
    sql: ({ sql }) => linked(sql.ask(CLOSES)),
    page: ({ page }) => page && linked(page.facts.closes),
  }),
  ofPull('closes', {
    sql: ({ sql }) =>
      places(
        sql
          .ask('SELECT issue FROM closing_pull_requests WHERE pull_request = :url')
          .map(({ issue }) => issue),
      ),
    show: ({ show }) => sorted(show.thread.pull_request?.closes ?? []),
    markdown: ({ markdown }) => listed(markdown.facts.get('closes')),
    page: ({ page }) => page && places(page.facts.closes.map(({ url }) => url)),
  }),
]

function closerOf({ state }: SqlRow, items: readonly Happening[]): string | null {
  return state === 'open' ? null : (lastOf(items, 'closed')?.who ?? null)
}
