import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { git } from '../../support/bare-repository.ts'
import { makeBare } from '../../support/git-world.ts'
import { account, repository } from '../../support/small-world.ts'
import { disk, helper, type Shell, serve, type Way } from './ways.ts'

export const COMMITS = 20_000
const BRANCHES = 250
/** Files of the large repository, and MB of each. */
const LARGE_FILES = 110
const LARGE_MB = 10

const data = (bytes: number) => `data ${bytes}\n`

/** Commits one after the other, and branches and tags along the way. */
function* manyCommits(): Generator<string> {
  for (let i = 1; i <= COMMITS; i++) {
    const text = `line ${i}\n`.repeat(1 + (i % 40)) + Math.sin(i)
    const message = `Commit ${i}\n`
    yield `commit refs/heads/main\nmark :${i}\ncommitter Ada <ada@forge.example> ${1_400_000_000 + i * 60} +0000\n${data(message.length)}${message}\n`
    if (i > 1) yield `from :${i - 1}\n`
    yield `M 100644 inline d${i % 20}/f${i % 400}.txt\n${data(text.length)}${text}\n\n`
  }
  for (let i = 0; i < BRANCHES; i++) {
    yield `reset refs/heads/b${i}\nfrom :${1 + i * 79}\n\nreset refs/tags/t${i}\nfrom :${2 + i * 79}\n\n`
  }
}

/** One commit with files that nothing compresses. */
function* largeFiles(): Generator<string | Buffer> {
  yield `commit refs/heads/main\ncommitter Ada <ada@forge.example> 1400000000 +0000\n${data(2)}x\n\n`
  for (let i = 0; i < LARGE_FILES; i++) {
    const bytes = randomBytes(LARGE_MB * 2 ** 20)
    yield `M 100644 inline ${i}.bin\n${data(bytes.length)}`
    yield bytes
    yield '\n'
  }
}

async function fill(directory: string, stream: Iterable<string | Buffer>): Promise<void> {
  makeBare(directory)
  git(directory, ['config', 'uploadpack.allowFilter', 'true'])
  const child = spawn('git', ['-C', directory, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  for (const piece of stream) if (!child.stdin.write(piece)) await once(child.stdin, 'drain')
  child.stdin.end()
  await once(child, 'close')
}

export interface Sizes {
  readonly ways: readonly Way[]
  close(): Promise<void>
}

/** Makes the repositories, loads them, and serves them in every way; the first way is the disk. */
export async function openSizes(shell: Shell, isBig: boolean): Promise<Sizes> {
  const folder = join(shell.folder, 'sizes')
  const directoryOf = (name: string) => join(folder, 'repositories/ada', `${name}.git`)
  await fill(directoryOf('many'), manyCommits())
  if (isBig) await fill(directoryOf('large'), largeFiles())
  makeBare(directoryOf('empty'))
  await fill(directoryOf('wiki.wiki'), [...manyCommits()].slice(0, 6))
  const wiki_url = 'tarball://root/repositories/ada/wiki.wiki.git'
  const records = ['many', 'empty', ...(isBig ? ['large'] : [])].map((name) => repository(name))
  mkdirSync(folder, { recursive: true })
  const wiki = { ...repository('wiki'), wiki_url }
  writeFileSync(join(folder, 'repositories_000001.json'), JSON.stringify([...records, wiki]))
  writeFileSync(join(folder, 'users_000001.json'), JSON.stringify([account('ada')]))
  const database = join(shell.folder, 'sizes.db')
  await loadArchive(folder, database)
  const ways = [
    disk(folder),
    await serve(shell, database, 'git'),
    await serve(shell, database, 'plain'),
    helper(shell, database),
  ]
  return {
    ways,
    async close() {
      for (const way of ways) await way.close()
    },
  }
}

export interface Measured {
  readonly what: string
  readonly way: string
  /** Seconds of processor time of both sides. */
  readonly cpu: number
  readonly milliseconds: number
  readonly fault: string | undefined
}

/** Clones, and looks whether Git is content with it. The first clone of a way makes its bare clone. */
export async function measureClone(
  shell: Shell,
  way: Way,
  name: string,
  options: readonly string[] = [],
): Promise<Measured> {
  const folder = shell.folderOf('sized')
  const before = way.cpu()
  const address = way.addressOf(`ada/${name}`)
  const ran = await shell.run('git', ['clone', '-q', '--bare', ...options, address, folder])
  const cpu = (ran.cpu + way.cpu() - before) / 1000
  let fault = ran.code === 0 ? undefined : `exit ${ran.code}: ${ran.output}`
  if (fault === undefined && options.includes('--depth=1')) {
    const fetched = await shell.run('git', ['-C', folder, 'fetch', '-q', '--unshallow'])
    if (fetched.code !== 0) fault = `fetch: ${fetched.output}`
  }
  if (fault === undefined) {
    const checked = await shell.run('git', ['-C', folder, 'fsck', '--connectivity-only'])
    if (checked.code !== 0) fault = `fsck: ${checked.output}`
  }
  rmSync(folder, { recursive: true, force: true })
  const what = [name, ...options].join(' ')
  return { what, way: way.name, cpu, milliseconds: ran.milliseconds, fault }
}
