/** Values in each part of Git data. The git program reads what is left, and nothing of ours. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type {
  RedactOptions,
  RedactReport,
} from '../../../../src/transform/redact/redact-options.ts'
import { unpackInto } from '../../../support/build.ts'
import { gitBytes, gitText } from '../../../support/git-history.ts'
import { THOROUGH } from '../../../support/thorough.ts'
import { describeCell, EVERYTHING, leftIn, searchFor } from './attack.ts'
import { plantGit, REPOSITORY } from './git-places.ts'
import { peopleOf } from './places.ts'
import { Planter } from './planter.ts'

const KEY = Buffer.alloc(32, 7)

const planter = new Planter()
let folder: string
let all: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'git-adversary-'))
  const archive = join(folder, 'archive')
  plantGit(planter, archive, 'first')
  for (const [path, records] of Object.entries(peopleOf(planter))) {
    writeFileSync(join(archive, path), JSON.stringify(records))
  }
  await loadArchive(archive, join(folder, 'archive.db'))
  all = placesIn([...planter.hidden.values()].map(describeCell))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Where values are. */
const placesIn = (cells: readonly string[]): string[] =>
  [...new Set(cells.map((cell) => cell.split(' | ')[2] as string))].sort()

/** Redacts a database of the folder, and looks for what is left. */
async function gitAttack(
  git: RedactOptions['git'],
  [source, name] = ['archive.db', `${git}.tar.gz`],
  planted = planter,
) {
  const database = openDatabase(join(folder, source))
  const output = join(folder, name)
  try {
    const report = await redactDatabase(database, output, { ...EVERYTHING, git, key: KEY })
    return { report, output, left: await leftIn(planted, readFileSync(output)) }
  } finally {
    database.close()
  }
}

/** The repository of an archive in a folder. */
async function unpacked(archive: string): Promise<string> {
  await unpackInto(`${archive}-unpacked`, readFileSync(archive))
  return join(`${archive}-unpacked`, REPOSITORY)
}

test('Nothing is left where Git data was left out', THOROUGH, async () => {
  const { left, report } = await gitAttack('drop')
  expect(left).toEqual([])
  expect(report.git.state).toBe('dropped')
})

test(
  'Everything is left where it was kept, and the report counts it in each part',
  THOROUGH,
  async () => {
    const { left, report } = await gitAttack('keep')
    expect(placesIn(left)).toEqual(all)
    expect(report.git.state).toBe('kept')
    for (const [part, { state, values }] of Object.entries(report.git.parts)) {
      expect({ part, state }).toEqual({ part, state: 'left as it is' })
      expect(values, part).toBeGreaterThan(2)
    }
  },
)

/** Names and contents of files stay where only authors are rewritten. */
const IN_FILES = /file(?! that only notes)|folder|link|blob without|tree without|\.gitmodules|LFS/

test.each(['authors', 'history'] as const)(
  'Nothing of any form is left where %s are rewritten, but in what the report names',
  { ...THOROUGH, timeout: 600_000 },
  async (git) => {
    const many = new Planter()
    const archive = join(folder, `many-${git}`)
    plantGit(many, archive, 'all')
    for (const [path, records] of Object.entries(peopleOf(many))) {
      writeFileSync(join(archive, path), JSON.stringify(records))
    }
    await loadArchive(archive, join(folder, `many-${git}.db`))
    const { left } = await gitAttack(git, [`many-${git}.db`, `many-${git}.tar.gz`], many)
    expect(left.filter((cell) => git === 'history' || !IN_FILES.test(cell))).toEqual([])
    expect(many.count).toBeGreaterThan(5000)
  },
)

describe.each(['authors', 'history'] as const)('Where %s are rewritten', THOROUGH, (git) => {
  let left: string[]
  let report: RedactReport
  let output: string
  let directory: string
  beforeAll(async () => {
    ;({ left, report, output } = await gitAttack(git))
    directory = await unpacked(output)
  })

  test('only what the report says was not searched is left', () => {
    const { parts, unread } = report.git
    expect(parts.others).toMatchObject({ state: 'cleaned', notSearched: 0, leftOut: 8 })
    if (git === 'authors') {
      expect(placesIn(left)).toEqual(all.filter((place) => IN_FILES.test(place)))
      expect(parts.names).toMatchObject({ state: 'not searched', notSearched: expect.any(Number) })
      expect(parts.files).toMatchObject({ state: 'not searched', notSearched: expect.any(Number) })
    } else {
      expect(left).toEqual([])
      expect(unread.types).toMatchObject({ PDF: 1, 'tar in gzip': 1, 'zip in zip': 1 })
      expect(unread.paths).toHaveLength(unread.count)
    }
  })

  test('the git program finds no fault, and lists the history', () => {
    const faults = gitText(directory, ['fsck', '--full', '--strict', '--no-dangling'])
    expect(faults).toBe('')
    expect(gitText(directory, ['log', '--all', '--oneline']).split('\n').length).toBeGreaterThan(15)
  })

  test('the git program reads nothing else in any object or name of a ref', () => {
    const objects = gitBytes(directory, ['cat-file', '--batch-all-objects', '--batch'])
    const refs = gitBytes(directory, ['for-each-ref'])
    expect(placesIn(searchFor(planter)(Buffer.concat([objects, refs])))).toEqual(placesIn(left))
  })

  test('notes belong to the same commits as before', () => {
    const shown = gitText(directory, ['log', '--all', '--notes=review', '--format=%N'])
    expect(shown.match(/^see .* there$/gm)?.length).toBeGreaterThan(10)
  })

  test('twice is once: the same bytes', THOROUGH, async () => {
    await loadArchive(output, join(folder, `${git}.db`))
    const again = await gitAttack(git, [`${git}.db`, `${git}-again.tar.gz`])
    expect(again.report.git.rewritten).toBe(0)
    expect(readFileSync(again.output).equals(readFileSync(output))).toBe(true)
  })
})
