import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import { git } from '../../../support/bare-repository.ts'
import { gitText } from '../../../support/git-history.ts'
import { everyDay } from '../../../support/thorough.ts'

const REPOSITORY = 'repositories/ada/kettle.git'
const COMMIT = `commit refs/heads/main\ncommitter Ada Kettle <ada@forge.example> 1 +0000
data 5\nFirstM 100644 inline a.txt\ndata 1\na\n`

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-refs-'))
  const source = join(folder, 'source')
  const repository = join(source, REPOSITORY)
  mkdirSync(repository, { recursive: true })
  writeFileSync(join(source, 'schema.json'), '{"version":"1.2.0"}')
  git(repository, ['init', '--bare', '--quiet', '--initial-branch=main'])
  git(repository, ['fast-import', '--quiet'], COMMIT)
  git(repository, ['pack-refs', '--all'])
  git(repository, ['gc', '--quiet'])
  execFileSync('tar', ['-czf', join(folder, 'source.tar.gz'), '-C', source, '.'])
  await loadArchive(join(folder, 'source.tar.gz'), join(folder, 'source.db'))
})
afterAll(() => rmSync(folder, { recursive: true }))

everyDay(1)(['authors', 'history'] as const)(
  'Git reads and clones a repository without loose refs after %s were rewritten',
  async (what) => {
    const output = join(folder, `${what}.tar.gz`)
    const database = openDatabase(join(folder, 'source.db'))
    await redactDatabase(database, output, { git: what, key: Buffer.alloc(32, 7) })
    database.close()

    const unpacked = join(folder, what)
    mkdirSync(unpacked)
    execFileSync('tar', ['-xzf', output, '--no-same-owner', '-C', unpacked])
    const repository = join(unpacked, REPOSITORY)
    git(repository, ['clone', '--quiet', '--bare', repository, join(folder, `${what}-clone`)])
    const [name, address] = gitText(join(folder, `${what}-clone`), [
      'log',
      '--format=%cn%n%ce',
    ]).split('\n')
    expect(name).not.toBe('Ada Kettle')
    expect(address).toMatch(/@redacted\.invalid$/)
  },
)
