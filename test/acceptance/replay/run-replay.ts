/**
 * Replays the calls of an importer over an archive, and compares what arrives with the JSON in the archive: everything
 * once, by the right author, at the right time. Needs Go and go-github.
 *
 * Usage: node test/acceptance/replay/run-replay.ts [<archive.tar.gz> <owner/name> | <number of issues>]
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { serveArchive } from '../../../src/serve/serve-archive.ts'
import { archiveFacts } from './archive-facts.ts'
import { GENERATED, generate } from './generate.ts'

const HERE = import.meta.dirname
const TOKEN = 'replay-0123456789abcdef'
const HELLO = join(HERE, '../../../samples/hello.tar.gz')

/** What became of a replay. */
export interface Replayed {
  readonly facts: number
  readonly calls: number
  readonly seconds: number
  /** Seconds of the processor that the server took, with what it loaded before. */
  readonly processor: number
  /** Lines that did not arrive, or arrived that are not in the archive. */
  readonly lost: readonly string[]
  readonly surplus: readonly string[]
}

/** The facts of an archive that the tar program unpacked. */
function* factsOf(folder: string, home: string): Generator<string> {
  const files = readdirSync(folder)
  yield* archiveFacts(
    {
      *records(kind) {
        for (const file of files) {
          const isOfKind = new RegExp(`^${kind}_\\d+\\.json$`).test(file)
          if (isOfKind) yield* JSON.parse(readFileSync(join(folder, file), 'utf8')) as object[]
        }
      },
      bytes(path) {
        try {
          return readFileSync(join(folder, path))
        } catch {
          return undefined
        }
      },
    },
    home,
  )
}

/** What is in one list more often than in the other, by taking it away once for each time. */
export function differenceOf(expected: Iterable<string>, arrived: Iterable<string>) {
  const open = new Map<string, number>()
  let facts = 0
  for (const line of expected) {
    facts++
    open.set(line, (open.get(line) ?? 0) + 1)
  }
  const surplus: string[] = []
  for (const line of arrived) {
    const left = open.get(line) ?? 0
    if (left === 0) surplus.push(line)
    else if (left === 1) open.delete(line)
    else open.set(line, left - 1)
  }
  return { facts, lost: [...open.keys()], surplus }
}

export async function replay(archive: string, name: string): Promise<Replayed> {
  const folder = mkdtempSync(join(tmpdir(), 'marc-replay-'))
  const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') }
  try {
    const database = join(folder, 'it.db')
    await loadArchive(archive, database)
    const owner = name.split('/')[0] ?? ''
    const server = await serveArchive([database], {
      port: 0,
      state: ':memory:',
      accounts: {
        version: 1,
        accounts: [{ login: owner }],
        tokens: [{ login: owner, sha256: sha256Of(TOKEN), scopes: ['repo'] }],
      },
    })
    const program = join(folder, 'replay')
    execFileSync('go', ['build', '-o', program, join(HERE, 'main.go')], {
      env: { ...process.env, ...go },
    })
    const [start, before] = [performance.now(), process.cpuUsage()]
    const base = server.url?.replace(/\/$/, '') ?? ''
    const { output, calls } = await run(program, { BASE: base, TOKEN, REPOSITORY: name })
    const seconds = (performance.now() - start) / 1000
    const { user, system } = process.cpuUsage(before)
    await server.close()
    execFileSync('tar', ['-xzf', archive, '-C', folder])
    const arrived = output.split('\n').filter((line) => line !== '')
    const normal = arrived.map((line) => JSON.stringify(JSON.parse(line)))
    const home = homeOf(folder, name)
    const difference = differenceOf(factsOf(folder, home), normal)
    return { ...difference, calls, seconds, processor: (user + system) / 1e6 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The url of a repository by its name. */
function homeOf(folder: string, name: string): string {
  for (const file of readdirSync(folder).filter((each) => /^repositories_\d+\.json$/.test(each))) {
    const records = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { url: string }[]
    const found = records.find(({ url }) => url.endsWith(`/${name}`))
    if (found) return found.url
  }
  throw new Error(`the archive has no ${name}`)
}

function run(program: string, env: Record<string, string>) {
  const child = spawn(program, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const pieces: Buffer[] = []
  let messages = ''
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  child.stderr.on('data', (piece) => {
    messages += piece
  })
  return new Promise<{ output: string; calls: number }>((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) {
        resolve({ output: Buffer.concat(pieces).toString(), calls: Number(messages) })
      } else reject(new Error(messages))
    })
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [given = HELLO, other] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'marc-replay-'))
  const isCount = /^\d+$/.test(given)
  const archive = isCount ? generate(folder, Number(given)) : given
  const name = other ?? (isCount ? GENERATED : 'mona-lindqvist/tea-timer')
  const { facts, calls, seconds, processor, lost, surplus } = await replay(archive, name)
  for (const line of lost.slice(0, 20)) process.stdout.write(`lost: ${line}\n`)
  for (const line of surplus.slice(0, 20)) process.stdout.write(`surplus: ${line}\n`)
  const rate = `${calls} calls in ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time`
  process.stdout.write(`${facts} facts, ${lost.length} lost, ${surplus.length} surplus; ${rate}\n`)
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = lost.length + surplus.length > 0 ? 1 : 0
}
