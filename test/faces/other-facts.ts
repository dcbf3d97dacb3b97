/** The facts about repositories, milestones, labels, people and releases. */

import type { Database } from '../../src/database/open-database.ts'
import { findRecord } from '../../src/database/rows/read-record.ts'
import { localPathOf } from '../../src/pages/link.ts'
import { listLabels, readLabel } from '../../src/reading/labels.ts'
import type { Repository } from '../../src/reading/library.ts'
import { readMilestone } from '../../src/reading/milestones.ts'
import { madeNumber } from '../../src/reading/numbers.ts'
import { findProfile, membersOf, membersOfTeam } from '../../src/reading/people/profiles.ts'
import { listReleaseFiles, listReleases } from '../../src/reading/releases.ts'
import { countTabs } from '../../src/reading/repository-facts.ts'
import { type RepositoryRecord, readRepositoryRecord } from '../../src/reading/repository-record.ts'
import {
  countThreads,
  type ListQuery,
  listThreads,
} from '../../src/reading/threads/list-threads.ts'
import type { Asks, Fact } from './facts.ts'
import { FEED_LENGTH, restFeed, sqlFeed } from './feed.ts'
import { elementsOf, loginOf, restLogin, restSeconds, secondsOf, sorted } from './normal.ts'
import { type Faces, isOnlooker, type Json } from './open-faces.ts'
import { answersOf, type SqlRow } from './read-thread.ts'

/** What faces say of a record, as they say it. */
interface Answers {
  readonly faces: Faces
  readonly database: Database
  readonly row: SqlRow
  /** The record, as `show` prints it. */
  readonly record: Json | undefined
  /** Its repository as pages have it. Undefined if no page shows it. */
  readonly page: Repository | undefined
  /** Undefined if it has no address. */
  readonly rest: Json | undefined
  /** Lists of the repository in the interface. */
  readonly lists: Readonly<Record<string, readonly Json[] | undefined>>
  /** Members of an organization in the interface, with their roles. */
  readonly members: readonly string[] | undefined
  /** Whether pages and the interface show the repository to strangers. */
  readonly isShownToStrangers: { readonly page: boolean; readonly rest: boolean } | undefined
}

/** A noun: where its records are, where the interface has them, and its facts. */
export interface Noun {
  readonly name: 'repository' | 'milestone' | 'label' | 'person' | 'release' | 'team'
  /** The table or view of its records. */
  readonly from: string
  readonly home: (row: SqlRow) => string
  readonly find: (faces: Faces, repository: string, row: SqlRow) => Promise<Json | undefined>
  readonly facts: readonly Fact<Answers>[]
}

export async function readOther(
  { home, find }: Noun,
  faces: Faces,
  database: Database,
  row: SqlRow,
): Promise<Answers> {
  const url = home(row)
  const page = faces.repositoryAt(database, url)
  const name = page?.fullName ?? ''
  const found = await find(faces, name, row)
  const list = (path: string) =>
    page && faces.once(`${name} ${path}`, () => faces.restList<Json>(name, path))
  const record = findRecord(database, String(row.url))
  return {
    faces,
    database,
    row,
    page,
    record: record as Json | undefined,
    // Another record may have its address.
    rest: found?.html_url === undefined || found.html_url === row.url ? found : undefined,
    lists: {
      labels: await list('/labels'),
      milestones: await list('/milestones?state=all'),
      releases: await list('/releases'),
      issues: await list('/issues?state=all'),
      collaborators: await collaboratorsOf(faces, name),
      feed: page && row.full_name !== undefined ? await feedOf(faces, name) : undefined,
    },
    members: row.kind === 'organization' ? await membersInRest(faces, row) : undefined,
    isShownToStrangers: page && (await faces.showsStrangers(page)),
  }
}

/** All pages of the feed of a repository: their size is fixed. */
const feedOf = (faces: Faces, name: string): Promise<Json[]> =>
  faces.once(`${name} /events`, async () => {
    const all: Json[] = []
    for (let page = 1; ; page++) {
      const events = await faces.rest<Json[]>(name, `/events?page=${page}`)
      if (events === undefined || events.length === 0) return all
      all.push(...events)
    }
  })

/** Undefined if nobody may write. */
const collaboratorsOf = (faces: Faces, name: string) =>
  faces.once(`${name} /collaborators`, () =>
    faces.rest<Json[]>(name, '/collaborators?per_page=100'),
  )

async function membersInRest(faces: Faces, { login }: SqlRow): Promise<string[] | undefined> {
  const lists = ['admin', 'member'].map(async (role) => {
    const path = `orgs/${encodeURIComponent(String(login))}/members?per_page=100&role=${role}`
    const people = (await faces.ask(path)) as readonly Json[] | undefined
    return people?.map((person) => `${person.login} ${role}`)
  })
  const [admins, others] = await Promise.all(lists)
  // The accounts file lets one more person in.
  return admins && others && sorted([...admins, ...others].filter((each) => !isOnlooker(each)))
}

const fact = (name: string, asks: Asks<Answers>): Fact<Answers> => ({ name, asks })

const count = ({ database, row }: Answers, from: string): number =>
  Number(database.prepare<[SqlRow], number>(`SELECT count(*) FROM ${from}`).pluck().get(row) ?? 0)

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** A member, or column, that faces call the same. */
const member = (name: string, normal: (value: unknown) => unknown = text): Fact<Answers> =>
  fact(name, {
    sql: ({ row }) => normal(row[name]),
    show: ({ record }) => record && normal(record[name]),
    rest: ({ rest }) => rest && normal(rest[name]),
  })

/** The same, with what pages read of the record of a repository. */
const recorded = (name: string, ofPage: (record: RepositoryRecord) => unknown): Fact<Answers> => {
  const { asks } = member(name)
  const page = ({ page: repository }: Answers) => {
    const record = repository && readRepositoryRecord(repository)
    return record && text(ofPage(record))
  }
  return { name, asks: { ...asks, page } }
}

/** Names of labels. An edited record may have anything where a label or its name was; that is none. */
const names = (labels: unknown): string[] =>
  sorted(
    (Array.isArray(labels) ? (labels as (Json | null)[]) : []).flatMap((label) =>
      typeof label?.name === 'string' ? [label.name] : [],
    ),
  )

const truth = (value: unknown): boolean => value === 1 || value === true

const inRepository = (path: (row: SqlRow) => string): Noun['find'] => {
  return async (faces, name, row) => (name === '' ? undefined : faces.rest<Json>(name, path(row)))
}

const urlsOf = ({ page, faces: { library } }: Answers): string[] | undefined => {
  const list = page && listThreads(library, page, 'issues')
  return list?.rows(0, list.total).map(({ url }) => url)
}

/** How many threads pages list. */
const countOf = (
  { page, faces: { library } }: Answers,
  filter: ListQuery = {},
): number | undefined =>
  page &&
  countThreads(library, page, 'issues', filter) + countThreads(library, page, 'pulls', filter)

const REPOSITORY: Noun = {
  name: 'repository',
  from: 'repositories',
  home: ({ url }) => String(url),
  find: async (faces, name) => (name === '' ? undefined : faces.rest<Json>(name, '')),
  facts: [
    recorded('description', ({ description }) => description),
    recorded('default_branch', ({ defaultBranch }) => defaultBranch),
    fact('website', {
      sql: ({ row }) => text(row.website),
      page: ({ page }) => page && text(readRepositoryRecord(page)?.website),
      rest: ({ rest }) => rest && text(rest.homepage),
    }),
    fact('is archived', {
      sql: ({ row }) => row.is_archived === 1,
      page: ({ page }) => page && readRepositoryRecord(page)?.isArchived,
      rest: ({ rest }) => rest?.archived,
    }),
    fact('topics', {
      sql: ({ row }) =>
        (elementsOf(row.repository_topics) as Json[])
          .filter(({ state }) => state === 'created')
          .map(({ topic_name }) => topic_name),
      page: ({ page }) => page && readRepositoryRecord(page)?.topics,
      rest: ({ rest }) => rest?.topics,
    }),
    fact('is private', {
      sql: ({ row }) => row.private !== 0,
      show: ({ record }) => record?.private !== false,
      page: ({ page }) => page?.isPrivate,
      rest: ({ rest }) => rest?.private,
    }),
    fact('is shown to strangers', {
      sql: ({ database, row }) =>
        database
          .prepare('SELECT NOT is_private FROM repository_facts WHERE url = :url')
          .pluck()
          .get(row) === 1,
      page: ({ isShownToStrangers }) => isShownToStrangers?.page,
      rest: ({ isShownToStrangers }) => isShownToStrangers?.rest,
    }),
    fact('who may do what', {
      sql: ({ database, row }) => allowedIn(database, row),
      rest: ({ lists }) =>
        lists.collaborators &&
        sorted(
          lists.collaborators
            .map(({ login, role_name }) => `${login} ${role_name}`)
            .filter((each) => !isOnlooker(each)),
        ),
    }),
    fact('open threads', {
      sql: (answers) => count(answers, "threads WHERE repository = :url AND state = 'open'"),
      page: ({ page }) => page && countTabs(page).issues + countTabs(page).pulls,
      rest: ({ rest }) => rest?.open_issues_count,
    }),
    fact('threads', {
      sql: (answers) => count(answers, 'threads WHERE repository = :url'),
      page: (answers) => countOf(answers),
      rest: ({ lists }) => lists.issues?.length,
    }),
    fact('order of issues', {
      page: urlsOf,
      rest: ({ lists }) =>
        lists.issues?.filter((each) => !each.pull_request).map(({ html_url }) => html_url),
    }),
    fact('feed', {
      sql: ({ faces, database, row, lists }) =>
        lists.feed &&
        sqlFeed(database, String(row.url), {
          now: faces.now,
          loginOf: (person) => loginIn(database, person),
        }),
      rest: ({ lists }) =>
        lists.feed && lists.feed.length < FEED_LENGTH ? restFeed(lists.feed) : undefined,
    }),
    fact('labels', {
      sql: ({ database, row }) =>
        names(database.prepare('SELECT name FROM labels WHERE repository = :url').all(row)),
      show: ({ record }) => names(record?.labels),
      page: ({ page }) => page && names(listLabels(page)),
      rest: ({ lists }) => lists.labels && names(lists.labels),
    }),
    fact('milestones', {
      sql: (answers) => count(answers, 'milestones WHERE repository = :url'),
      rest: ({ lists }) => lists.milestones?.length,
    }),
    fact('releases', {
      sql: (answers) => count(answers, 'releases WHERE repository = :url'),
      page: ({ page }) => page && countTabs(page).releases,
      rest: ({ lists }) => lists.releases?.length,
    }),
  ],
}

/** The login of a person by URL; null for a deleted account. */
function loginIn(database: Database, url: unknown): string | null {
  if (typeof url !== 'string') return null
  const login = database
    .prepare<[string], string>("SELECT nullif(login, '') FROM people WHERE url = ?")
    .pluck()
    .get(url)
  return restLogin({ login: login ?? loginOf(url) })
}

/** Who may do what in a repository, by the highest permission of each person. */
const allowedIn = (database: Database, row: SqlRow): string[] =>
  sorted(
    database
      .prepare<[SqlRow], string>(
        `SELECT user_login || ' ' || CASE max(CASE permission WHEN 'admin' THEN 3 WHEN 'push' THEN 2 ELSE 1 END)
           WHEN 3 THEN 'admin' WHEN 2 THEN 'write' ELSE 'read' END
         FROM permissions WHERE repository = :url GROUP BY user`,
      )
      .pluck()
      .all(row),
  )

const progressOf = ({ faces, database, row }: Answers): SqlRow | undefined => {
  const all = answersOf(faces, database, 'milestone-progress')
  const found = all.filter((m) => m.full_name === row.full_name && m.milestone === row.title)
  return found.length === 1 ? found[0] : undefined
}

const MILESTONE: Noun = {
  name: 'milestone',
  from: 'milestones',
  home: ({ repository }) => String(repository),
  async find(faces, name, row) {
    const found =
      name === '' ? undefined : await faces.rest<Json>(name, `/milestones/${row.number}`)
    return found && { ...found, html_url: undefined }
  },
  facts: [
    member('title'),
    member('state'),
    member('due_on', secondsOf),
    fact('open threads', {
      sql: (answers) => {
        const progress = progressOf(answers)
        return progress && Number(progress.planned) - Number(progress.done)
      },
      page: ({ page, row }) => page && readMilestone(page, String(row.url))?.openThreads,
      rest: ({ rest }) => rest?.open_issues,
    }),
    fact('closed threads', {
      sql: (answers) => progressOf(answers)?.done,
      page: ({ page, row }) => page && readMilestone(page, String(row.url))?.closedThreads,
      rest: ({ rest }) => rest?.closed_issues,
    }),
  ],
}

/** Six hexadecimal digits; null for anything else, and for the gray that the interface gives it. */
const color = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{6}$/i.test(value) && value !== 'ededed'
    ? value.toLowerCase()
    : null

const labelOnPage = ({ page, row }: Answers) => page && readLabel(page, String(row.url))

const LABEL: Noun = {
  name: 'label',
  from: 'labels',
  home: ({ repository }) => String(repository),
  find: inRepository(({ name }) => `/labels/${encodeURIComponent(String(name))}`),
  facts: [
    fact('name', {
      sql: ({ row }) => row.name,
      page: (answers) => labelOnPage(answers)?.name,
      rest: ({ rest }) => rest?.name,
    }),
    fact('color', {
      sql: ({ row }) => color(row.color),
      page: (answers) => answers.page && color(labelOnPage(answers)?.color),
      rest: ({ rest }) => rest && color(rest.color),
    }),
    fact('description', {
      sql: ({ row }) => text(row.description),
      page: (answers) => answers.page && text(labelOnPage(answers)?.description),
      rest: ({ rest }) => rest && text(rest.description),
    }),
    fact('threads', {
      sql: (answers) =>
        count(answers, 'threads AS t, json_each(t.labels) AS e WHERE e.value = :url'),
      page: (answers) => countOf(answers, { labels: [String(answers.row.name)] }),
      rest: ({ lists, row }) =>
        lists.issues?.filter(({ labels }) => names(labels).includes(String(row.name))).length,
    }),
  ],
}

const TYPES: Readonly<Record<string, string>> = {
  user: 'User',
  bot: 'Bot',
  organization: 'Organization',
}

const personOnPage = ({ faces, row }: Answers) => {
  const found = findProfile(faces.library, String(loginOf(row.url)))
  return found && found.profile.url === row.url ? found.profile : undefined
}

const PERSON: Noun = {
  name: 'person',
  from: 'people',
  home: () => '',
  find: (faces, _, row) => faces.ask(`users/${encodeURIComponent(String(row.login))}`),
  facts: [
    member('login'),
    member('name'),
    member('location'),
    fact('login below a text', {
      sql: ({ database, row }) =>
        database
          .prepare('SELECT user_login FROM timeline WHERE user = :url LIMIT 1')
          .pluck()
          .get(row),
      rest: ({ rest }) => rest?.login,
    }),
    fact('kind', {
      sql: ({ row }) => TYPES[String(row.kind)],
      page: (answers) => TYPES[personOnPage(answers)?.kind ?? ''],
      rest: ({ rest }) => rest?.type,
    }),
    fact('members', {
      sql: ({ database, row }) =>
        row.kind === 'organization'
          ? sorted(
              database
                .prepare<[SqlRow], string>(
                  "SELECT user_login || ' ' || role FROM members WHERE organization = :url AND team IS NULL",
                )
                .pluck()
                .all(row),
            )
          : undefined,
      page: ({ faces, row }) => {
        const found = findProfile(faces.library, String(loginOf(row.url)))
        return row.kind === 'organization' && found && found.profile.url === row.url
          ? sorted(
              membersOf(found.store, found.profile.url).map(
                ({ login, role }) => `${login} ${role}`,
              ),
            )
          : undefined
      },
      rest: ({ members }) => members,
    }),
    fact('when created', {
      sql: ({ row }) => secondsOf(row.created_at),
      show: ({ record }) => record && secondsOf(record.created_at),
      rest: ({ rest }) => rest && restSeconds(rest.created_at),
    }),
  ],
}

const sum = (sizes: readonly unknown[]): number =>
  sizes.reduce<number>((all, size) => all + Number(size ?? 0), 0)

/** Names of files; what has no URL is none. */
const assets = (list: unknown, name: string): string[] =>
  sorted(
    (Array.isArray(list) ? (list as (Json | null)[]) : []).flatMap((each) =>
      typeof each?.url === 'string' ? String(each[name]) : [],
    ),
  )

const RELEASE: Noun = {
  name: 'release',
  from: 'releases',
  home: ({ repository }) => String(repository),
  async find(faces, name, row) {
    const list = () => faces.restList<Json>(name, '/releases')
    const all = name === '' ? [] : await faces.once(`${name} /releases`, list)
    return all.find(({ html_url }) => html_url === row.url)
  },
  facts: [
    member('name'),
    member('tag_name'),
    member('prerelease', truth),
    fact('is draft', {
      sql: ({ row }) => row.state !== 'published',
      rest: ({ rest }) => rest?.draft,
    }),
    fact('order of releases', {
      page: ({ page }) => page && listReleases(page).map(({ url }) => url),
      rest: ({ rest, lists }) => rest && lists.releases?.map(({ html_url }) => html_url),
    }),
    fact('when published', {
      sql: ({ row }) => secondsOf(row.published_at),
      show: ({ record }) => record && secondsOf(record.published_at),
      rest: ({ rest }) => rest && secondsOf(rest.published_at),
    }),
    fact('author', {
      sql: ({ row }) => row.user_login,
      show: ({ record }) => record && loginOf(record.user),
      rest: ({ rest }) => rest && restLogin(rest.author),
    }),
    fact('files', {
      sql: ({ row }) => assets(elementsOf(row.release_assets), 'asset_name'),
      show: ({ record }) => record && assets(record.release_assets ?? [], 'asset_name'),
      page: ({ page, row }) => page && assets(listReleaseFiles(page, String(row.url)), 'name'),
      rest: ({ rest }) => rest && assets(rest.assets, 'name'),
    }),
    fact('bytes of its files', {
      sql: ({ database, row }) =>
        database
          .prepare(
            `SELECT coalesce(sum(f.size), 0) FROM json_each(:release_assets) AS e
             JOIN files AS f ON 'tarball://root/' || f.path = e.value ->> 'asset_url'`,
          )
          .pluck()
          .get({ release_assets: row.release_assets ?? '[]' }),
      page: ({ page, row }) =>
        page && sum(listReleaseFiles(page, String(row.url)).map(({ content }) => content?.size)),
      rest: ({ rest }) => rest && sum((rest.assets as Json[]).map(({ size }) => size)),
    }),
    fact('has a page', {
      sql: () => true,
      page: ({ page, faces, row }) =>
        page && localPathOf(faces.library, String(row.url)) !== undefined,
      rest: ({ page, rest }) => page && rest !== undefined,
    }),
  ],
}

const TEAM: Noun = {
  name: 'team',
  from: 'teams',
  home: () => '',
  find: (faces, _, { url }) => faces.ask(`teams/${madeNumber('Team', String(url))}`),
  facts: [
    member('name'),
    member('description'),
    fact('members', {
      sql: ({ database, row }) =>
        database
          .prepare("SELECT user || ' ' || role FROM members WHERE team = :url ORDER BY user")
          .pluck()
          .all(row),
      page: ({ faces, database, row }) => {
        const store = faces.library.stores.find((each) => each.database.name === database.name)
        const found = store && membersOfTeam(store, String(row.url))
        return found?.map(({ url, role }) => `${url} ${role}`)
      },
    }),
  ],
}

/** Every noun but threads. */
export const NOUNS: readonly Noun[] = [REPOSITORY, MILESTONE, LABEL, PERSON, RELEASE, TEAM]
