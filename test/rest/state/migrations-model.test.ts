import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBuildQueue } from '../../../src/rest/state/build-queue.ts'
import { SILENCE } from '../../../src/rest/state/job-queue.ts'
import { createMigrations, type MigrationState } from '../../../src/rest/state/migrations.ts'
import { openStateDatabase } from '../../../src/rest/state/state-database.ts'
import { folderOf } from '../../support/folder.ts'
import { LOCKING, WHOLE } from '../../support/migrations.ts'
import { runs as times } from '../../support/property-runs.ts'

/** A migration as it should be. */
interface Model {
  owner: string
  state: MigrationState
  updatedAt: number
  createdAt: number
  /** The worker that builds it; undefined if it was released. */
  worker: number | undefined
  /** When it was last seen, on the clock of the machine. */
  seen: number
  exportedAt: number
  isGone: boolean
  locks: string[]
}

const LIFE = 1200
const PACE = 100
const REPOSITORIES = ['ada/kettle', 'ada/teapot']
const OWNERS = ['ada', 'bob']
const ARCHIVE = { size: 1, sha256: 'ab' }

/** What happens: an action on one of two servers, with a number that chooses a migration, a repository or a time. */
const step = fc.record({
  action: fc.constantFrom(
    'start',
    'take',
    'take',
    'finish',
    'finish',
    'fail',
    'beat',
    'release',
    'takeOver',
    'restart',
    'delete',
    'expire',
    'unlock',
    'unlock',
    'clock',
    'machine',
  ),
  server: fc.nat(1),
  choice: fc.nat(5),
})

test('Migrations are always as a plain model of them, on two servers with one state', async () => {
  const root = await folderOf()
  let runs = 0
  const property = fc.property(
    fc.array(step, { minLength: 30, maxLength: 80, size: 'max' }),
    (steps) => {
      const folder = join(root, `${runs++}.serve`)
      const time = { now: 1e12, machine: 1e12 }
      const clocks = { clock: () => new Date(time.now), machineTime: () => time.machine }
      let workers = 0
      const open = () => {
        const state = openStateDatabase(folder)
        return {
          worker: workers++,
          close: () => state.close(),
          queue: openBuildQueue(state, { ...clocks, pace: PACE }),
          migrations: createMigrations(state, { ...clocks, archiveLife: LIFE }),
        }
      }
      const servers = [open(), open()]
      const model: Model[] = []
      const hasArchive = (one: Model) =>
        one.state === 'exported' && !one.isGone && one.exportedAt > time.now - LIFE
      const change = (one: Model, state: MigrationState) => {
        one.state = state
        one.updatedAt = Math.max(one.createdAt, time.now)
      }

      const act = ({ action, server: number, choice }: (typeof steps)[number]) => {
        const server = servers[number] as (typeof servers)[number]
        const { queue, migrations, worker } = server
        const id = 1 + (choice % Math.max(1, model.length))
        const one = model[id - 1]
        const isOwn = one?.state === 'exporting' && one.worker === worker
        switch (action) {
          case 'start': {
            const owner = OWNERS[choice % 2] as string
            const options = choice > 2 ? LOCKING : WHOLE
            const started = migrations.start({ owner, repositories: REPOSITORIES, options })
            model.push({
              owner,
              state: 'pending',
              createdAt: time.now,
              updatedAt: time.now,
              worker: undefined,
              seen: time.machine,
              exportedAt: 0,
              isGone: false,
              locks: choice > 2 ? [...REPOSITORIES] : [],
            })
            return expect(started?.id).toBe(model.length)
          }
          case 'take': {
            const due = model.find(
              (each) => each.state === 'pending' && each.seen <= time.machine - PACE,
            )
            const taken = queue.take()
            expect(typeof taken === 'object' ? taken.id : undefined).toBe(
              due && model.indexOf(due) + 1,
            )
            if (due) {
              change(due, 'exporting')
              Object.assign(due, { worker, seen: time.machine })
            }
            return
          }
          case 'takeOver': {
            const isLost = ({ state, worker, seen }: Model) =>
              state === 'exporting' && (worker === undefined || seen <= time.machine - SILENCE)
            const lost = model.find(isLost)
            expect(queue.takeOver()?.id).toBe(lost && model.indexOf(lost) + 1)
            if (lost) Object.assign(lost, { worker, seen: time.machine })
            return
          }
          case 'finish':
            expect(queue.finish(id, ARCHIVE)).toBe(isOwn)
            if (!isOwn) return
            change(one, 'exported')
            one.exportedAt = time.now
            return
          case 'fail':
            expect(queue.fail(id, 'no')).toBe(isOwn)
            if (isOwn) change(one, 'failed')
            return
          case 'beat':
            expect(queue.beat(id)).toBe(isOwn)
            if (isOwn) one.seen = time.machine
            return
          case 'release':
            queue.release(id)
            if (isOwn) one.worker = undefined
            return
          case 'restart':
            server.close()
            servers[number] = open()
            return
          case 'delete':
            expect(migrations.deleteArchive(id)).toBe(one !== undefined && hasArchive(one))
            if (one && hasArchive(one)) one.isGone = true
            return
          case 'expire': {
            const over = model.filter(
              (each) => each.state === 'exported' && !each.isGone && !hasArchive(each),
            )
            expect(migrations.expireArchives()).toHaveLength(over.length)
            for (const each of over) each.isGone = true
            return
          }
          case 'unlock': {
            const repository = REPOSITORIES[choice % 2] as string
            const isEnded = one?.state === 'exported' || one?.state === 'failed'
            const holds = isEnded && one.locks.includes(repository)
            expect(migrations.unlock(id, repository)).toBe(holds)
            if (holds) one.locks = one.locks.filter((name) => name !== repository)
            return
          }
          case 'clock':
            // It may be set back, too.
            time.now += (choice - 1) * 400
            return
          case 'machine':
            time.machine += choice === 5 ? SILENCE : choice * 60
        }
      }

      try {
        for (const each of steps) {
          act(each)
          // The other server sees what one has done.
          const { migrations } = servers[1 - each.server] as (typeof servers)[number]
          for (const owner of OWNERS) {
            const own = model.flatMap((one, i) => (one.owner === owner ? [{ one, id: i + 1 }] : []))
            const seen = migrations.list({ owner }, { offset: 0, limit: 100 })
            expect(
              seen.map(({ id, state, updatedAt, archive }) => ({
                id,
                state,
                updatedAt,
                archive,
                locks: migrations.locksOf(id),
              })),
            ).toEqual(
              own.reverse().map(({ one, id }) => ({
                id,
                state: one.state,
                updatedAt: one.updatedAt,
                locks: one.locks,
                archive: hasArchive(one) ? ARCHIVE : undefined,
              })),
            )
          }
        }
      } finally {
        for (const { close } of servers) close()
      }
    },
  )
  fc.assert(property, { numRuns: times(50) })
})
