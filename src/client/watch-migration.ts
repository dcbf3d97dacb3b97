import { aFunction, checkArguments, integerFrom, type Shapes } from '../base/check-arguments.ts'
import { ClientError, isTransient } from './client-error.ts'
import type { ClientOptions } from './client-options.ts'
import { anId, orNotFound } from './list-migrations.ts'
import { failureOf, MIGRATION_STATES, type Migration, parseMigration } from './migration.ts'
import { openSession, type Session } from './open-session.ts'
import { isTimeOver, Polls } from './polls.ts'

const HOUR = 3_600_000

/** How long to wait, and how often to ask. */
export interface WatchOptions extends ClientOptions {
  /** Milliseconds after which to give up, whatever is under way. Default: 24 hours for an export, none for a download. */
  timeout?: number | undefined
  /** Milliseconds between polls. Default: 2 seconds at first, and up to a minute later. */
  interval?: number | undefined
  /** Called with the migration at first, and whenever its state has changed. */
  onState?: ((migration: Migration, milliseconds: number) => void) | undefined
}

export const WATCH_SHAPES: Shapes<Omit<WatchOptions, keyof ClientOptions>> = {
  timeout: integerFrom(0, 2 ** 31 - 1),
  interval: integerFrom(0, 2 ** 31 - 1),
  onState: aFunction,
}

/**
 * Waits until a migration is exported. Polls less and less often, obeys the intervals that the server asks for, and
 * continues after faults of the network and the server until the time is over.
 *
 * @param id the id of the migration
 * @param options the server, as whom to talk to it, and how long to wait
 * @returns the exported migration
 * @throws `migration-failed`, `migration-timeout`, and the codes of `getMigration`
 * @example
 * await watchMigration(12, { server: 'github', token, onState: ({ state }) => show(state) })
 */
export async function watchMigration(id: number, options: WatchOptions): Promise<Migration> {
  checkArguments({ id }, { id: anId })
  return untilExported(openSession(options, WATCH_SHAPES), id, options)
}

/** The same within a session. */
export async function untilExported(
  session: Session,
  id: number,
  {
    timeout = 24 * HOUR,
    interval,
    onState,
  }: Pick<WatchOptions, 'timeout' | 'interval' | 'onState'>,
): Promise<Migration> {
  const polls = new Polls(session, { timeout, interval })
  let last: Migration | undefined
  let etag: string | undefined
  const over = (why?: string) => timedOut(id, last, polls.milliseconds, why)
  for (;;) {
    const call = { parameters: { migration_id: id }, etag, retries: Number.POSITIVE_INFINITY }
    const answer = await session
      .call('getUserMigration', call)
      .catch(orNotFound(id))
      .catch((error: unknown) => {
        if (isTimeOver(error)) throw over()
        // Without an answer the address is wrong; otherwise only the time ends the patience.
        throw isTransient(error) && session.hasAnswered() ? over(error.message) : error
      })
    if (answer.status !== 304) {
      const found = parseMigration(answer.body)
      etag = answer.headers.get('etag') ?? undefined
      checkOrder(last, found)
      if (found.state !== last?.state) onState?.(found, polls.milliseconds)
      if (last && found.state === 'exported') session.made('getUserArchive', { migration_id: id })
      last = found
    }
    if (last?.state === 'failed') throw failureOf(last)
    if (last?.state === 'exported') return last
    if (!(await polls.next(answer.headers))) throw over()
  }
}

/** A state never goes back. */
function checkOrder(before: Migration | undefined, after: Migration): void {
  const rank = ({ state }: Migration) => MIGRATION_STATES.indexOf(state)
  if (!before || rank(after) >= rank(before)) return
  const seen = `first ${before.state}, then ${after.state}`
  throw new ClientError('server-failed', `migration ${after.id} was ${seen}`)
}

function timedOut(
  id: number,
  last: Migration | undefined,
  milliseconds: number,
  why: string | undefined,
): ClientError {
  const state = last ? `still ${last.state}` : 'in an unknown state'
  const after = `after ${Math.round(milliseconds / 1000)} s`
  const message = `migration ${id} is ${state} ${after}${why === undefined ? '' : `: ${why}`}`
  return new ClientError('migration-timeout', message)
}
