import { firstWhere } from './index/index-activity.ts'
import { CODE_UNIT, NO_TIME } from './index/index-schema.ts'
import type { IndexedLibrary } from './library.ts'
import type { Person } from './people/people.ts'
import type { Permissions } from './people/permissions.ts'
import { seesPrivate, type Viewer } from './people/viewer.ts'
import type { IndexedRepository, Repositories } from './repositories.ts'
import { asInteger } from './values.ts'

/** An event of a feed, as the index has it. */
export interface Activity {
  /** Its place in the index: later ones are greater. */
  readonly id: number
  /** The kind of record that it was made from. */
  readonly code: number
  /** The number of that record. */
  readonly number: number
  /** Seconds since 1970. */
  readonly time: number
  readonly isPublic: boolean
  readonly repository: number
  readonly actor: number
  readonly thread: number | null
  readonly row: number
}

/** Seconds that a feed reaches back. */
const REACH = 90 * 24 * 3600
/** Events in a feed, at most. */
const FEED_LENGTH = 300
/** Seconds that the feed of everything is late. */
const DELAY = 5 * 60

/** Ids of the events in a time, both ends included, and until when these are all of them. */
interface Window {
  readonly first: number
  readonly last: number
  readonly validFrom: number
  readonly validUntil: number
}

/** Finds the events of feeds: ids, the newest first, 300 at most. */
export class Feeds {
  readonly #library: IndexedLibrary
  readonly #repositories: Repositories
  readonly #permissions: Permissions
  readonly #windows = new Map<number, Window>()

  constructor(library: IndexedLibrary, repositories: Repositories, permissions: Permissions) {
    this.#library = library
    this.#repositories = repositories
    this.#permissions = permissions
  }

  /** Public events, five minutes late. */
  ofEverybody(now: number): readonly number[] {
    const { first, last } = this.#window(now - DELAY, now)
    return this.#library.index.numbers(
      `SELECT id FROM activity WHERE public = 1 AND id BETWEEN ? AND ? ORDER BY id DESC LIMIT ${FEED_LENGTH}`,
      first,
      last,
    )
  }

  ofRepository = (now: number, { id }: IndexedRepository): readonly number[] =>
    this.#merge(now, [id])

  /** Public events of the repositories of an owner. */
  ofOrganization = (now: number, { id }: Person): readonly number[] =>
    this.#merge(now, this.#repositories.list({ owner: id, visibility: 'public' }))

  /** Events of the repositories of an organization that the viewer may read. */
  ofDashboard(now: number, { id }: Person, viewer: Viewer): readonly number[] {
    const owned = this.#repositories.list({ owner: id })
    return this.#merge(now, this.#readable(owned, viewer))
  }

  /**
   * The events of a person, in repositories that `viewer` may read.
   *
   * @param viewer undefined for public events alone
   */
  ofActor(now: number, { id }: Person, viewer: Viewer): readonly number[] {
    if (id === undefined) return []
    return this.#merge(now, this.#readable(this.#repositoriesOfActor(id), viewer), id)
  }

  /** Events of the repositories that a person takes part in and `viewer` may read. */
  received(now: number, person: Person, viewer: Viewer): readonly number[] {
    const { id, login } = person
    const theirs = this.#permissions.repositoriesOf(login, [
      'owner',
      'collaborator',
      'organization_member',
    ])
    const acted = id === undefined ? [] : this.#repositoriesOfActor(id)
    return this.#merge(now, this.#readable([...new Set([...theirs, ...acted])], viewer))
  }

  /** Whether a person did anything that a feed can show. */
  isActor = ({ id }: Person): boolean =>
    id !== undefined &&
    this.#library.index.row('SELECT 1 FROM activity WHERE actor = ? LIMIT 1', id) !== undefined

  find(id: number): Activity | undefined {
    const row = this.#library.index.row(
      `SELECT number, time, public, repository, actor, thread, row FROM activity WHERE id = ?`,
      id,
    )
    if (!row) return undefined
    const [number, time, isPublic, repository, actor, thread, record] = row
    return {
      id,
      code: Math.floor(asInteger(number) / CODE_UNIT),
      number: asInteger(number) % CODE_UNIT,
      time: asInteger(time),
      isPublic: isPublic === 1,
      repository: asInteger(repository),
      actor: asInteger(actor),
      thread: thread === null ? null : asInteger(thread),
      row: asInteger(record),
    }
  }

  /** Seconds since 1970 of the newest event; undefined if there is none. */
  newest(): number | undefined {
    const row = this.#library.index.row('SELECT time FROM activity ORDER BY id DESC LIMIT 1')
    return row && row[0] !== NO_TIME ? asInteger(row[0]) : undefined
  }

  /** Tells which events the feeds of an instant consist of: two with the same text are the same. */
  moment(now: number): string {
    const { first, last } = this.#window(now, now)
    return `${first}-${last}-${this.#window(now - DELAY, now).last}`
  }

  #readable(ids: readonly number[], viewer: Viewer): number[] {
    if (!seesPrivate(viewer)) {
      return ids.filter(
        (id) =>
          this.#library.index.row('SELECT private FROM repositories WHERE id = ?', id)?.[0] === 0,
      )
    }
    return ids.filter((id) => {
      const repository = this.#repositories.byId(id)
      return repository !== undefined && this.#permissions.canRead(viewer, repository)
    })
  }

  /** Jumps from repository to repository in the index, past all the events between. */
  #repositoriesOfActor = (actor: number): number[] =>
    this.#library.index.numbers(
      `WITH RECURSIVE each (place) AS (
        SELECT min(repository) FROM activity WHERE actor = ?
        UNION ALL SELECT (SELECT min(repository) FROM activity WHERE actor = ? AND repository > place)
        FROM each WHERE place IS NOT NULL)
      SELECT place FROM each WHERE place IS NOT NULL`,
      actor,
      actor,
    )

  /**
   * The newest events of several repositories. Repositories whose newest event is older than all found so far are not
   * looked at.
   */
  #merge(now: number, repositories: readonly number[], actor?: number): readonly number[] {
    const { first, last } = this.#window(now, now)
    const by = actor === undefined ? '' : 'actor = ? AND'
    const values = (repository: number) =>
      actor === undefined ? [repository, first, last] : [actor, repository, first, last]
    const condition = `${by} repository = ? AND id BETWEEN ? AND ?`
    const newest = repositories
      .flatMap((repository) => {
        const row = this.#library.index.row(
          `SELECT id FROM activity WHERE ${condition} ORDER BY id DESC LIMIT 1`,
          ...values(repository),
        )
        return row ? [{ repository, id: asInteger(row[0]) }] : []
      })
      .sort((one, other) => other.id - one.id)
    let found: number[] = []
    for (const { repository, id } of newest) {
      if (found.length === FEED_LENGTH && (found.at(-1) as number) > id) break
      const ids = this.#library.index.numbers(
        `SELECT id FROM activity WHERE ${condition} ORDER BY id DESC LIMIT ${FEED_LENGTH}`,
        ...values(repository),
      )
      found = [...found, ...ids].sort((one, other) => other - one).slice(0, FEED_LENGTH)
    }
    return found
  }

  /** The events in the 90 days before `now`, up to `until`. */
  #window(until: number, now: number): Window {
    const delay = now - until
    const known = this.#windows.get(delay)
    if (known && now >= known.validFrom && now < known.validUntil) return known
    const first = this.#firstAfter(now - REACH)
    const next = this.#firstAfter(until)
    const timeOf = (id: number) => this.find(id)?.time ?? Number.POSITIVE_INFINITY
    const window = {
      first,
      last: next - 1,
      validFrom: now,
      validUntil: Math.min(timeOf(first) + REACH, timeOf(next) + delay),
    }
    this.#windows.set(delay, window)
    return window
  }

  /** The place of the first event after an instant: they are in the order of time. */
  #firstAfter(time: number): number {
    const newest = asInteger(this.#library.index.row('SELECT max(id) FROM activity')?.[0])
    const at = (place: number) => {
      const sql = 'SELECT id, time FROM activity WHERE id >= ? ORDER BY id LIMIT 1'
      const row = this.#library.index.row(sql, place)
      return row && { id: asInteger(row[0]), time: asInteger(row[1]) }
    }
    return firstWhere(newest, at, (event) => event.time > time)?.id ?? newest + 1
  }
}
